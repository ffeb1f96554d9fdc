import { describe, expect, it } from "vitest";
import { endpointClient } from "../../../cli/connection/endpoint-client.ts";
import { protocols } from "../../../shared/contracts/submissions/providers.ts";
import { models } from "../../../simulator/models.ts";
import { endpointOf } from "../../faults/stage.ts";
import { readJson } from "../support/ask.ts";
import { firstRow } from "../support/rows.ts";
import { useSimulator } from "../support/simulator.ts";

const simulator = useSimulator();
const messages = [{ role: "user", content: firstRow.text }];

/** Path and body of a streamed request in each interface. */
const requests = {
  chat: () => ["/v1/chat/completions", { messages }],
  responses: () => ["/v1/responses", { input: messages }],
  messages: () => ["/v1/messages", { max_tokens: 2048, messages }],
  gemini: (model: string) => [
    `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    { contents: [{ role: "user", parts: [{ text: firstRow.text }] }] },
  ],
} satisfies Record<string, (model: string) => [string, object]>;
type Interface = keyof typeof requests;

function send(api: Interface, faults: string, model = "sim-instant?retryAfter=7", key = "sk-any") {
  const [path, body] = requests[api](model);
  return fetch(`${simulator().url}${path}`, {
    method: "POST",
    headers: { "x-api-key": key, "x-sim-faults": faults },
    body: JSON.stringify({ ...body, model, stream: true }),
  });
}

const openai = (code: string | null, type = "invalid_request_error") => ({
  error: { message: expect.any(String), type, param: null, code },
});
const anthropic = (type: string, message: unknown = expect.any(String)) => ({
  type: "error",
  error: { type, message },
});
const google = (code: number, status: string, ...details: object[]) => ({
  error: { code, message: expect.any(String), status, details },
});
const rpc = "type.googleapis.com/google.rpc";
const wait = { "@type": `${rpc}.RetryInfo`, retryDelay: "7s" };
const badKey = { "@type": `${rpc}.ErrorInfo`, reason: "API_KEY_INVALID" };

describe("an error has the format of its interface", () => {
  it.each<[Interface, fault: string, status: number, body: object, retryAfter?: string]>([
    ["chat", "401", 401, openai("invalid_api_key")],
    ["chat", "404", 404, openai("model_not_found")],
    ["chat", "429", 429, openai("rate_limit_exceeded", "requests"), "7"],
    ["chat", "503", 503, openai(null, "server_error"), "7"],
    ["responses", "401", 401, openai("invalid_api_key")],
    ["responses", "404", 400, openai("model_not_found")],
    ["responses", "429", 429, openai("rate_limit_exceeded", "requests"), "7"],
    ["messages", "401", 401, anthropic("authentication_error", "invalid x-api-key")],
    ["messages", "404", 404, anthropic("not_found_error")],
    ["messages", "429", 429, anthropic("rate_limit_error"), "7"],
    ["messages", "500", 500, anthropic("api_error")],
    ["messages", "529", 529, anthropic("overloaded_error", "Overloaded")],
    ["gemini", "401", 400, google(400, "INVALID_ARGUMENT", badKey)],
    ["gemini", "404", 404, google(404, "NOT_FOUND")],
    ["gemini", "429", 429, google(429, "RESOURCE_EXHAUSTED", wait)],
    ["gemini", "500", 500, google(500, "INTERNAL")],
    ["gemini", "503", 503, google(503, "UNAVAILABLE", wait)],
  ])("%s: %s", async (api, fault, status, body, retryAfter) => {
    const answer = await send(api, fault);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([
      status,
      retryAfter ?? null,
    ]);
    expect(await answer.json()).toEqual(body);
  });

  it.each<[Interface, key: object, model: object]>([
    ["chat", openai("invalid_api_key"), openai("model_not_found")],
    ["responses", openai("invalid_api_key"), openai("model_not_found")],
    ["messages", anthropic("authentication_error"), anthropic("not_found_error")],
    ["gemini", google(400, "INVALID_ARGUMENT", badKey), google(404, "NOT_FOUND")],
  ])("%s: an invalid key and an unknown model, without a fault", async (api, key, model) => {
    expect(await (await send(api, "", "sim-instant", "sk-wrong")).json()).toEqual(key);
    expect(await (await send(api, "", "nobody")).json()).toEqual(model);
  });

  it.each<[Interface, name: string | null, event: object]>([
    ["chat", null, openai(null, "server_error")],
    [
      "responses",
      "error",
      { type: "error", message: expect.any(String), param: null, code: "server_error" },
    ],
    ["messages", "error", anthropic("api_error")],
    ["gemini", null, google(500, "INTERNAL")],
  ])("%s: as the last event of a stream", async (api, name, event) => {
    const answer = await send(api, "error-in-200");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    const events = (await answer.text()).split("\n\n").slice(0, -1);
    expect(events.length).toBeGreaterThan(3);
    const [data = "", named] = events.at(-1)!.split("\n").toReversed();
    expect(named).toBe(name === null ? undefined : `event: ${name}`);
    expect(JSON.parse(data.replace(/^data: /, ""))).toEqual(event);
  });
});

describe("the list of models", () => {
  it("has Anthropic's format with its version header, and Google's format at Google's path", async () => {
    const headers = { "anthropic-version": "2023-06-01" };
    expect(await readJson(fetch(`${simulator().baseUrl}/models`, { headers }))).toMatchObject({
      data: expect.arrayContaining([
        {
          type: "model",
          id: "sim-large",
          display_name: "sim-large",
          created_at: "2026-01-01T00:00:00Z",
        },
      ]),
      first_id: "sim-large",
      has_more: false,
    });
    expect(await readJson(fetch(`${simulator().url}/v1beta/models`))).toMatchObject({
      models: expect.arrayContaining([
        expect.objectContaining({ name: "models/sim-reasoning", thinking: true }),
      ]),
    });
  });

  it.each(protocols)("is read by the client of %s", async (protocol) => {
    const endpoint = { ...endpointOf(simulator(), protocol), model: "", apiKey: "sk-any" };
    const listed = await endpointClient({ ...endpoint, timeoutMs: 5_000 }).models();
    expect(listed).toMatchObject({ ok: true, value: models.map(({ id }) => id) });
  });
});
