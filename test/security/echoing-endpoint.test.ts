import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { askServer, completion, serve } from "./support/ask-server.ts";

const apiKey = "sk-echo-0123456789";
const headers = { "x-api-key": "gateway-secret-42", "HTTP-Referer": "https://acme.example" };
const all = `${apiKey} gateway-secret-42 ${btoa(`Bearer ${apiKey}`)}`;

/** Asks an endpoint that answers with `answer`. */
const asked = async (answer: (response: ServerResponse) => void) =>
  askServer(await serve((_request, response) => answer(response)), { apiKey, headers });

function expectNoSecret(value: unknown): void {
  const text = JSON.stringify(value);
  expect(text).toContain("[redacted]");
  for (const secret of [apiKey, "gateway-secret-42", btoa(apiKey).slice(0, 12)]) {
    expect(text).not.toContain(secret);
  }
}

const json = { "content-type": "application/json" };

it.each([
  ["the content", { content: `you sent ${all}` }],
  ["a refusal", { refusal: all }],
  [
    "a tool call",
    { tool_calls: [{ function: { name: all, arguments: JSON.stringify({ [all]: [all] }) } }] },
  ],
  ["arguments that are not JSON", { tool_calls: [{ function: { name: "f", arguments: all } }] }],
])("secrets repeated in %s are redacted", async (_case, message) => {
  expectNoSecret(await asked((response) => response.writeHead(200, json).end(completion(message))));
});

it("secrets repeated next to the message and in headers are redacted", async () => {
  const answer = await asked((response) => {
    response.writeHead(200, { ...json, "x-inference-source": all });
    response.end(JSON.stringify({ choices: [{ finish_reason: all, message: { content: "x" } }] }));
  });
  expectNoSecret(answer.source);
  expectNoSecret(answer.finishReason);
});

it.each([400, 401, 404, 422, 429, 500])(
  "secrets repeated with a %i are redacted",
  async (status) => {
    for (const body of [
      all,
      JSON.stringify({ error: { message: all } }),
      JSON.stringify({ all }),
    ]) {
      const answer = await asked((response) => response.writeHead(status, json).end(body));
      expectNoSecret(answer.error);
    }
  },
);

it("a secret is redacted before a long message is clipped", async () => {
  for (let before = 480; before < 500; before++) {
    const body = JSON.stringify({ error: { message: "x".repeat(before) + apiKey } });
    const answer = await asked((response) => response.writeHead(400, json).end(body));
    expect(answer.error?.message).not.toContain(apiKey.slice(0, 4));
  }
});

it("values of public headers are not redacted", async () => {
  const message = { content: "see https://acme.example" };
  const answer = await asked((response) => response.writeHead(200, json).end(completion(message)));
  expect(answer.output).toBe("see https://acme.example");
});
