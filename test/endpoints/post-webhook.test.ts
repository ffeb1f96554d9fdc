import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { webhookPoster } from "../../api/providers/post-webhook.ts";
import { serve } from "../security/support/ask-server.ts";

const closed = { allowPrivateEndpoints: false, ownHosts: [] };
const open = { allowPrivateEndpoints: true, ownHosts: [] };

const post = webhookPoster(open, () => performance.now());

async function answered(listener: RequestListener) {
  const url = await serve(listener);
  return post(`${url}/hook?a=b`, { "webhook-id": "evt_1" }, '{"type":"run.finished"}');
}

it("webhookPoster() posts JSON with the given headers and the user agent assay", async () => {
  const seen: Record<string, unknown> = {};
  const reply = await answered((request, response) => {
    Object.assign(seen, { url: request.url, method: request.method, ...request.headers });
    request.on("data", (chunk) => {
      seen["body"] = `${chunk}`;
    });
    request.on("end", () => response.writeHead(202).end("thanks"));
  });
  expect(reply).toMatchObject({ status: 202, response: "thanks", error: null, retryAfterMs: null });
  expect(reply.durationMs).toBeGreaterThan(0);
  expect(seen).toMatchObject({
    url: "/v1/hook?a=b",
    method: "POST",
    "content-type": "application/json",
    "user-agent": "assay",
    "webhook-id": "evt_1",
    body: '{"type":"run.finished"}',
  });
});

it("webhookPoster() follows no redirect", async () => {
  let asked = 0;
  const reply = await answered((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  expect(reply).toMatchObject({ status: 302, error: expect.stringContaining("is not followed") });
  expect(asked).toBe(1);
});

it("webhookPoster() returns the first 500 bytes of an answer, and its retry-after", async () => {
  const reply = await answered((_request, response) => {
    response.writeHead(503, { "retry-after": "7" }).write("é".repeat(1_000_000));
  });
  expect(reply).toMatchObject({ status: 503, retryAfterMs: 7_000 });
  expect(reply.error).toBe("the receiver answered 503");
  expect(reply.response).toBe("é".repeat(250));
});

it("webhookPoster() accepts an answer with a truncated body", async () => {
  const reply = await answered((_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half");
    setTimeout(() => response.destroy(), 20);
  });
  expect(reply).toMatchObject({ status: 200, error: null });
});

it("webhookPoster() reports a failed connection without details", async () => {
  const reply = await post("http://127.0.0.1:9/hook?token=secret", {}, "{}");
  expect(reply.status).toBeNull();
  expect(reply.error).not.toContain("secret");
});

it("webhookPoster() does not call an address that the deployment forbids", async () => {
  const reply = await webhookPoster(closed, Date.now)("https://10.0.0.1/hook", {}, "{}");
  expect(reply.error).toContain("this deployment does not call the address: url must be a public");
});
