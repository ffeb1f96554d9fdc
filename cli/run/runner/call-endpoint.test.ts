import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { bounds } from "../../../shared/contracts/bounds.ts";
import {
  RUNNER_BODY_MAX,
  type RunnerRequest,
  runnerReplySchema,
} from "../../../shared/contracts/submissions/runner.ts";
import { allowedBases, callEndpoint, isAllowed } from "./call-endpoint.ts";

const never = new AbortController().signal;

/** A local endpoint that records its requests. */
async function anEndpoint(answer: (response: ServerResponse) => unknown) {
  const received: { url: string | undefined; headers: object }[] = [];
  const server = createServer((request, response) => {
    received.push({ url: request.url, headers: request.headers });
    void answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const ask = (apiKey: string | null = null, more: Partial<RunnerRequest> = {}) => {
    const request = {
      method: "POST",
      url: `${base}/chat/completions`,
      headers: { "content-type": "application/json", cookie: "a=b" },
      body: "{}",
      timeoutMs: 5_000,
      ...more,
    };
    return callEndpoint(request, { bases: [new URL(base)], apiKey }, never);
  };
  const dispose = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { base, received, ask, [Symbol.asyncDispose]: dispose };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("callEndpoint()", () => {
  it("returns the reply with arrival times and only the headers that the service reads", async () => {
    await using target = await anEndpoint(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "set-cookie": "s=1" });
      response.write("data: 1é\n\n");
      await wait(60);
      response.end("data: 2\n\n");
    });
    const reply = runnerReplySchema.parse(await target.ask());
    expect(reply).toMatchObject({
      status: 200,
      headers: { "content-type": "text/event-stream" },
      body: "data: 1é\n\ndata: 2\n\n",
      failure: null,
    });
    expect(Object.keys(reply.headers)).toEqual(["content-type"]);
    const [first, last] = [reply.marks[0]!, reply.marks.at(-1)!];
    expect([first[0], last[0]]).toEqual([10, reply.body.length]);
    expect(last[1]).toBeGreaterThan(first[1]);
    expect(reply.elapsedMs).toBeGreaterThanOrEqual(last[1]);
  });

  it("sends the runner's key and redacts it in replies", async () => {
    const key = "sk-private-0123456789abcdef";
    await using target = await anEndpoint((response) => {
      response.writeHead(401, { "content-type": "application/json", "x-inference-source": key });
      response.end(JSON.stringify({ error: { message: `wrong key ${key}` } }));
    });
    const reply = await target.ask(key);
    expect(target.received[0]?.headers).toMatchObject({ authorization: `Bearer ${key}` });
    expect(target.received[0]?.headers).not.toHaveProperty("cookie");
    expect(JSON.stringify(reply)).not.toContain(key);
    expect(reply.body).toContain("wrong key [redacted]");
  });

  it("follows no redirect", async () => {
    await using target = await anEndpoint((response) => {
      response.writeHead(307, { location: "/secret" }).end();
    });
    expect(await target.ask()).toMatchObject({ status: 307, failure: null });
    expect(target.received).toHaveLength(1);
  });

  it("refuses addresses outside its bases", async () => {
    await using target = await anEndpoint((response) => response.end("{}"));
    const url = target.base.replace("/v1", "/admin");
    expect(await target.ask(null, { url })).toMatchObject({
      status: null,
      failure: { class: "blocked" },
    });
    expect(target.received).toEqual([]);
  });

  it("enforces the timeout of a request", async () => {
    await using target = await anEndpoint((response) => response.write("a"));
    expect(await target.ask(null, { timeoutMs: 150 })).toMatchObject({
      status: 200,
      body: "a",
      failure: { class: "timeout", message: "no answer within 150 ms" },
    });
  });

  it("stops reading a reply that is too long", async () => {
    await using target = await anEndpoint((response) => response.end("x".repeat(9_000_000)));
    const reply = runnerReplySchema.parse(await target.ask());
    expect(reply).toMatchObject({ status: 200, failure: { class: "too_large" } });
  });

  it.each([
    // In JSON, the first takes 25,165,824 bytes and the second 30,000,000; the service accepts 26,214,400.
    ["wide letters that fit", "\u3042", RUNNER_BODY_MAX, null],
    ["escaped characters that do not", "\u0001", 5_000_000, "too_large"],
  ])("sends no more bytes than the service accepts: %s", async (_, text, count, failure) => {
    await using target = await anEndpoint((response) => response.end(text.repeat(count)));
    const reply = runnerReplySchema.parse(await target.ask());
    expect([reply.status, reply.failure?.class ?? null]).toEqual([200, failure]);
    expect(reply.marks.at(-1)![0]).toBeLessThanOrEqual(reply.body.length);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(bounds.bodyBytes);
  });

  it("reports a failed connection without its address", async () => {
    let base = "";
    {
      await using target = await anEndpoint(() => {});
      base = target.base;
    }
    const request = { method: "POST", url: `${base}/a`, headers: {}, body: "", timeoutMs: 1_000 };
    const rights = { bases: [new URL(base)], apiKey: null };
    expect((await callEndpoint(request, rights, never)).failure).toEqual({
      class: "network",
      message: "the connection of the runner failed (ECONNREFUSED)",
    });
  });
});

describe("isAllowed()", () => {
  const bases = allowedBases(["http://10.0.0.5:8000/v1", "https://gpu.lan/"]);
  it.each([
    ["http://10.0.0.5:8000/v1/chat/completions", true],
    ["http://10.0.0.5:8000/v1/models/acme%2Fm:generateContent?alt=sse", true],
    ["https://gpu.lan/any/thing", true],
    ["http://10.0.0.5:8000/v1", false],
    ["http://10.0.0.5:8000/v12/chat", false],
    ["http://10.0.0.5:8000/v1/../admin", false],
    ["http://10.0.0.5:8000/v1/%2e%2e/admin", false],
    ["http://10.0.0.5:8000/v1/..%2fadmin", false],
    ["http://10.0.0.5:8000/v1/%5c..%5cadmin", false],
    ["http://10.0.0.5:8000/v1/%zz", false],
    ["https://10.0.0.5:8000/v1/chat", false],
    ["http://10.0.0.5/v1/chat", false],
    ["http://10.0.0.5:8000@evil.example/v1/chat", false],
    ["http://user@10.0.0.5:8000/v1/chat", false],
    ["http://169.254.169.254/latest/meta-data", false],
    ["file:///etc/passwd", false],
    ["nonsense", false],
  ])("%s: %s", (address, expected) => {
    expect(isAllowed(address, bases)).toBe(expected);
  });
});

it.each(["ftp://a.lan", "nonsense", "http://a.lan/v1?x=1", "http://me:secret@a.lan"])(
  "allowedBases() refuses %s without printing a password",
  (given) => {
    expect(() => allowedBases([given])).toThrow(/^--allow must be the address of an endpoint/);
    expect(() => allowedBases([given])).not.toThrow(/secret/);
  },
);
