import type { IncomingHttpHeaders } from "node:http";
import { expect, it, vi } from "vitest";
import type { Endpoint } from "../../shared/contracts/submissions/submission.ts";
import { askServer, completion, serve } from "./support/ask-server.ts";

async function headersSent(more: Partial<Endpoint>): Promise<IncomingHttpHeaders> {
  let sent: IncomingHttpHeaders = {};
  const endpoint = await serve((request, response) => {
    sent = request.headers;
    response.setHeader("content-type", "application/json").end(completion({ content: "hi" }));
  });
  expect((await askServer(endpoint, more)).output).toBe("hi");
  return sent;
}

it("an endpoint gets the key, the submission's headers and the user agent assay", async () => {
  const sent = await headersSent({ apiKey: "sk-1", headers: { "X-Team": "red" } });
  expect(sent).toMatchObject({
    authorization: "Bearer sk-1",
    "x-team": "red",
    "user-agent": "assay",
  });
});

it("an endpoint with its key in another header gets no authorization", async () => {
  const sent = await headersSent({ headers: { "api-key": "k-1" } });
  expect(sent["api-key"]).toBe("k-1");
  expect(sent.authorization).toBeUndefined();
});

it("an endpoint gets nothing of the deployment's own environment", async () => {
  vi.stubEnv("OPENAI_ORG_ID", "org-of-the-operator");
  vi.stubEnv("OPENAI_PROJECT_ID", "project-of-the-operator");
  vi.stubEnv("OPENAI_API_KEY", "sk-of-the-operator");
  vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin-of-the-operator");
  for (const more of [{}, { apiKey: "sk-1" }]) {
    expect(JSON.stringify(await headersSent(more))).not.toContain("operator");
  }
});

it("the SDK logs neither keys nor bodies, even with OPENAI_LOG=debug", async () => {
  vi.stubEnv("OPENAI_LOG", "debug");
  const logged = (["log", "info", "debug", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => {}),
  );
  await headersSent({ apiKey: "sk-logged-1" });
  expect(logged.flatMap((spy) => spy.mock.calls)).toEqual([]);
  vi.restoreAllMocks();
});
