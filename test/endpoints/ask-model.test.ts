import { describe, expect, it } from "vitest";
import { Postponed } from "../../api/platform/backoff.ts";
import { modelClient, type Reply } from "../../api/providers/ask-model.ts";
import { type EndpointMemory, endpointMemory } from "../../api/providers/endpoint-memory.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import type { ChatRequest } from "../../shared/contracts/chat-request.ts";
import type { InferenceSettings } from "../../shared/contracts/submissions/inference-settings.ts";
import { askServer, completion, serve } from "../security/support/ask-server.ts";
import { aChat } from "../simulator/support/ask.ts";
import { firstRow } from "../simulator/support/rows.ts";
import { useSimulator } from "../simulator/support/simulator.ts";

const simulator = useSimulator({ hugeBytes: 64 * 1024 * 1024 });

const openSchema = { type: "object", properties: { name: { type: "string" } } };

function aRequest(more: Partial<ChatRequest> = {}): ChatRequest {
  const [message] = aChat("m", firstRow).messages;
  const schema = firstRow.schema;
  return {
    messages: [{ role: "user", content: message?.content as string }],
    structured: { name: "extraction_result", schema, mode: "auto" },
    temperature: 0,
    maxTokens: 2048,
    ...more,
  };
}

/** Asks once with fake waits between retries, and returns the waits. */
async function ask(model: string, options: Options = {}) {
  const waits: number[] = [];
  const client = modelClient({
    now: () => performance.now(),
    sleep: async (ms) => void waits.push(ms),
    random: () => 0,
  });
  const memory = options.memory ?? endpointMemory();
  const reply = await client(
    {
      baseUrl: simulator().baseUrl,
      model,
      apiKey: options.apiKey ?? "sk-any",
      maxTokensParam: "max_tokens",
    },
    aRequest(options.request),
    {
      timeoutMs: options.timeoutMs ?? 5_000,
      maxRetries: options.maxRetries ?? 3,
      blockedMs: options.blockedMs === undefined ? 0 : options.blockedMs,
    },
    memory,
  );
  return { reply, answer: answerIn(reply), waits, memory };
}

const answerIn = (reply: Reply) => (reply.kind === "answer" ? reply.answer : emptyAnswer);

interface Options {
  memory?: EndpointMemory;
  apiKey?: string;
  request?: Partial<ChatRequest>;
  timeoutMs?: number;
  maxRetries?: number;
  blockedMs?: number | null;
}

describe("an answer", () => {
  it("has tokens, times, status and the mode used", async () => {
    const { answer } = await ask("sim-instant");
    expect(JSON.parse(answer.output ?? "")).toEqual(firstRow.expected_output);
    expect(answer).toMatchObject({
      error: null,
      attempts: 1,
      httpStatus: 200,
      structuredMode: "json_schema_strict",
      finishReason: "stop",
    });
    expect(answer.inputTokens).toBeGreaterThan(0);
    expect(answer.latencyMs).toBeGreaterThanOrEqual(answer.firstByteMs ?? 0);
  });

  it("has its inference source", async () => {
    expect((await ask("sim-instant?source=on-device")).answer.source).toBe("on-device");
  });

  it("has a confidence if logprobs were requested", async () => {
    const { answer } = await ask("sim-instant", { request: { logprobs: true } });
    expect(answer.confidence).toBeGreaterThan(0);
    expect(answer.confidence).toBeLessThanOrEqual(1);
  });

  it.each([
    ["refusal", { output: null, refusal: expect.any(String) }],
    ["empty", { output: "" }],
  ])("of kind %s is an answer, not an error", async (fault, expected) => {
    const { answer } = await ask(`sim-instant?faults=${fault}`);
    expect(answer).toMatchObject({ error: null, attempts: 1, ...expected });
  });
});

describe("mode auto", () => {
  it("falls back to a schema that is not strict if the strict one is refused", async () => {
    const schema = { ...openSchema, not: { required: ["never"] } };
    const { answer, memory } = await ask("sim-instant?profile=openai-strict", {
      request: { structured: { name: "n", schema, mode: "auto" } },
    });
    expect(answer).toMatchObject({ error: null, structuredMode: "json_schema", attempts: 2 });
    expect([...memory.refusedModes]).toEqual([]);
  });

  it("does not repeat a schema in a mode that refused it", async () => {
    const memory = endpointMemory();
    const schema = { ...openSchema, not: { required: ["never"] } };
    const twice = async (format: typeof openSchema) => {
      const request = { structured: { name: "n", schema: format, mode: "auto" as const } };
      const model = "sim-instant?profile=openai-strict";
      const first = await ask(model, { memory, request });
      return [first.answer, (await ask(model, { memory, request })).answer];
    };
    expect(await twice(schema)).toMatchObject([
      { structuredMode: "json_schema", attempts: 2 },
      { structuredMode: "json_schema", attempts: 1 },
    ]);
    const closed = { ...openSchema, required: ["name"], additionalProperties: false };
    const [other] = await twice(closed);
    expect(other).toMatchObject({ structuredMode: "json_schema_strict", attempts: 1 });
  });

  it("remembers modes that an endpoint does not support", async () => {
    const { answer, memory } = await ask("sim-basic?latency=0");
    expect(answer).toMatchObject({ error: null, structuredMode: "json_object", attempts: 5 });
    // Modes of vLLM are also tried at an unknown host.
    expect([...memory.refusedModes]).toEqual([
      "json_schema_strict",
      "json_schema",
      "structured_outputs",
      "guided_json",
    ]);
    expect((await ask("sim-basic?latency=0", { memory })).answer.attempts).toBe(1);
    expect(memory.notes).toHaveLength(4);
  });

  it("is not used if the request names a mode", async () => {
    const structured = { name: "n", schema: openSchema, mode: "guided_json" as const };
    const { answer } = await ask("sim-basic?latency=0", { request: { structured } });
    expect(answer).toMatchObject({ attempts: 1, error: { class: "bad_request" }, httpStatus: 400 });
  });
});

describe("a parameter that the endpoint refuses", () => {
  it("is left out from then on, with a note", async () => {
    const { answer, memory } = await ask("sim-reasoning?latency=0&errors=0");
    expect(answer.error).toBeNull();
    expect([...memory.refusedParameters].sort()).toEqual(["max_tokens", "temperature"]);
    expect(memory.notes.join()).toContain("max_completion_tokens");
  });

  it("is left out when concurrent requests are repeated", async () => {
    const memory = endpointMemory();
    const asked = await Promise.all(
      [1, 2, 3].map(() => ask("sim-reasoning?latency=0", { memory })),
    );
    expect(asked.map(({ answer }) => answer.error)).toEqual([null, null, null]);
  });
});

interface Body {
  messages?: unknown;
  thinking?: { type: string };
  reasoning?: { effort: string; summary?: string };
  output_config?: object;
}

/** An endpoint that answers 400 with `error` to some requests, and 200 with `reply` to others. */
async function refusingServer(isRefused: (body: Body) => boolean, error: object, reply: object) {
  const bodies: Body[] = [];
  const baseUrl = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    response.writeHead(isRefused(body) ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefused(body) ? { error } : reply));
  });
  return { baseUrl, bodies };
}

/** Refuses requests with a field. */
async function refusing(field: (body: Body) => unknown, refusal: object, reply: object) {
  const { baseUrl, bodies } = await refusingServer(
    (body) => field(body) !== undefined,
    refusal,
    reply,
  );
  return async (protocol: "messages" | "responses", settings: InferenceSettings) => {
    const client = modelClient({ now: Date.now, sleep: async () => {}, random: () => 0 });
    const memory = endpointMemory({ parameters: ["stream"] });
    const endpoint = { baseUrl, model: "m", maxTokensParam: "max_tokens", protocol, settings };
    const limits = { timeoutMs: 5_000, maxRetries: 0, blockedMs: null };
    const request = { messages: [{ role: "user" as const, content: "2 + 2" }] };
    const answer = answerIn(await client(endpoint as never, request as never, limits, memory));
    return { answer, memory, bodies };
  };
}

/** Two requests of a run; only the first is refused. */
async function besideRefusal(error: object, isRefused: (body: Body) => boolean) {
  const reply = JSON.parse(completion({ content: "{}" }));
  const { baseUrl, bodies } = await refusingServer(isRefused, error, reply);
  const client = modelClient({ now: Date.now, sleep: async () => {}, random: () => 0 });
  const memory = endpointMemory({ parameters: ["stream"] });
  const endpoint = { baseUrl, model: "m", maxTokensParam: "max_tokens" as const };
  const limits = { timeoutMs: 5_000, maxRetries: 0, blockedMs: null };
  const askFor = async (content: string) => {
    const messages = [{ role: "user" as const, content }];
    return answerIn(await client(endpoint, aRequest({ messages }), limits, memory));
  };
  return {
    first: await askFor("odd"),
    second: await askFor("usual"),
    last: bodies.at(-1)!,
    memory,
  };
}

describe("a refusal of one sample", () => {
  const isOdd = ({ messages }: Body) => JSON.stringify(messages).includes("odd");

  it.each([
    "This content is restricted in your region.",
    '{"input": {"response_format": {}}}',
    '{"input": {"additionalProperties": false}}',
  ])("changes no later request, even if it names a mode or schema: %s", async (message) => {
    const { first, second, memory } = await besideRefusal({ message }, isOdd);
    expect(first.error).toMatchObject({ class: "bad_request" });
    expect(second).toMatchObject({ error: null, structuredMode: "json_schema_strict" });
    expect([...memory.refusedModes, ...memory.notes]).toEqual([]);
  });

  it("because of the context length removes max_tokens from this request only", async () => {
    const message =
      "'max_tokens' or 'max_completion_tokens' is too large: 2048. This model's maximum context length is 4096 tokens";
    const { first, second, last, memory } = await besideRefusal(
      { message, param: "max_tokens" },
      (body) => isOdd(body) && ("max_tokens" in body || "max_completion_tokens" in body),
    );
    expect(first).toMatchObject({ error: null, attempts: 2 });
    expect(second).toMatchObject({ error: null, attempts: 1 });
    expect(last).toMatchObject({ max_tokens: 2048 });
    expect(memory.notes.join()).toContain("no room for max tokens");
  });
});

describe("thinking that the endpoint refuses", () => {
  const item = { type: "message", content: [{ type: "output_text", text: "4" }] };
  const message = { content: [{ type: "text", text: "4" }], stop_reason: "end_turn" };
  const unverified = {
    message: "Your organization must be verified to generate reasoning summaries.",
    type: "invalid_request_error",
    param: "reasoning.summary",
    code: "unsupported_value",
  };
  const notAdaptive = {
    type: "invalid_request_error",
    message: "adaptive thinking is not supported on this model",
  };

  it("is no longer requested: a summary at OpenAI", async () => {
    const asking = await refusing((body) => body.reasoning?.summary, unverified, {
      output: [item],
    });
    const { answer, memory, bodies } = await asking("responses", { reasoningEffort: "high" });
    expect(answer).toMatchObject({ output: "4", error: null, attempts: 2 });
    expect(bodies.map(({ reasoning }) => reasoning)).toEqual([
      { effort: "high", summary: "auto" },
      { effort: "high" },
    ]);
    expect(memory.notes.join()).toContain("refuses reasoning.summary: requested without");
  });

  it("is no longer requested: adaptive thinking of models before Claude 4.6", async () => {
    const asking = await refusing((body) => body.thinking, notAdaptive, message);
    const { answer, memory, bodies } = await asking("messages", { reasoningEffort: "high" });
    expect(answer).toMatchObject({ output: "4", error: null, attempts: 2 });
    expect(bodies.map((body) => [body.thinking?.type, body.output_config])).toEqual([
      ["adaptive", { effort: "high" }],
      [undefined, { effort: "high" }],
    ]);
    expect(memory.notes.join()).toContain("refuses thinking: requested without thinking");
  });

  it.each<InferenceSettings>([
    { thinkingBudget: 2_000 },
    { reasoningEffort: "none" },
    { reasoningEffort: "low", extraBody: { thinking: { type: "adaptive" } } },
  ])("fails the request if the submission sets how to think: %j", async (settings) => {
    const asking = await refusing((body) => body.thinking, notAdaptive, message);
    const { answer } = await asking("messages", settings);
    expect(answer.error).toMatchObject({ class: "bad_request" });
  });
});

describe("a transient failure", () => {
  it.each(["429", "500", "503", "529", "cut", "truncated-json", "null-choices", "html"])(
    "%s is retried successfully",
    async (fault) => {
      const asked = await Promise.all(
        [1, 2, 3, 4].map((seed) =>
          ask(`sim-instant?faults=${fault}:0.5&seed=${seed}`, { maxRetries: 10 }),
        ),
      );
      expect(asked.map(({ answer }) => answer.error)).toEqual([null, null, null, null]);
    },
  );

  it("is postponed if retry-after exceeds the wait of a lane", async () => {
    const long = "sim-instant?faults=429&retryAfter=60";
    const before = performance.now();
    const { reply, waits, memory } = await ask(long);
    expect(reply).toMatchObject({ kind: "postponed" });
    if (reply.kind === "postponed") expect(reply.until - before).toBeGreaterThanOrEqual(60_000);
    expect(waits).toEqual([]);
    expect(memory).toMatchObject({ overloads: 1, requests: { sent: 1 } });
    const kept = await ask(long, { blockedMs: null });
    expect(kept.answer.error?.class).toBe("rate_limited");
    expect(kept.waits).toEqual([10_000, 10_000, 10_000]);
  });

  it("is postponed when its invocation may send no more requests", async () => {
    const faulty = "sim-instant?faults=429&retryAfter=0";
    const memory = () => endpointMemory({ requests: { sent: 8, most: 10 } });
    const asked = memory();
    await expect(ask(faulty, { memory: asked })).rejects.toThrow(Postponed);
    expect(asked.requests.sent).toBe(10);
    // After an hour without any answer, the request counts as failed.
    const { answer } = await ask(faulty, { memory: memory(), blockedMs: null });
    expect(answer).toMatchObject({ attempts: 2, error: { class: "network" } });
    expect(answer.error?.message).toContain("more requests than one invocation");
  });

  it("is retried after the time that the endpoint names", async () => {
    const { answer, waits } = await ask("sim-instant?faults=429&retryAfter=3", { blockedMs: null });
    expect(waits).toEqual([3000, 3000, 3000]);
    expect(answer).toMatchObject({
      error: { class: "rate_limited" },
      attempts: 4,
      httpStatus: 429,
    });
  });

  it.each([
    { blockedMs: 0, waitMs: 5_000 },
    { blockedMs: 40_000, waitMs: 40_000 },
    { blockedMs: 299_999, waitMs: 120_000 },
  ])("is postponed for longer and longer while 429 continues: $blockedMs", async (given) => {
    const before = performance.now();
    const { reply, waits } = await ask("sim-instant?faults=429&retryAfter=3", given);
    expect(waits).toEqual([3000, 3000, 3000]);
    if (reply.kind !== "postponed") throw new Error("it was not postponed");
    const waitMs = reply.until - before;
    expect(waitMs).toBeGreaterThanOrEqual(given.waitMs);
    expect(waitMs).toBeLessThan(given.waitMs + 4_000);
  });

  it.each([
    { fault: "429", blockedMs: 300_000, maxRetries: 3 },
    { fault: "429", blockedMs: 0, maxRetries: 0 },
    { fault: "529", blockedMs: 0, maxRetries: 3 },
  ])("is recorded after its retries: %j", async ({ fault, ...options }) => {
    const { reply } = await ask(`sim-instant?faults=${fault}&retryAfter=0`, options);
    expect(reply).toMatchObject({ kind: "answer", answer: { attempts: options.maxRetries + 1 } });
  });

  it.each([
    ["500", "server_error", 500],
    ["cut", "network", null],
    ["truncated-json", "invalid_response", null],
    ["html", "invalid_response", 200],
    ["null-choices", "invalid_response", 200],
  ])("%s that persists is recorded as %s", async (fault, kind, httpStatus) => {
    const memory = endpointMemory({ parameters: ["stream"] });
    const { answer } = await ask(`sim-instant?faults=${fault}`, { maxRetries: 1, memory });
    expect(answer).toMatchObject({ error: { class: kind }, attempts: 2, httpStatus, output: null });
  });

  it("is recorded as a timeout if the answer takes too long", async () => {
    const options = { timeoutMs: 150, maxRetries: 0 };
    for (const fault of ["hang", "timeout", "slow-body"]) {
      const { answer } = await ask(`sim-instant?faults=${fault}`, options);
      expect(answer.error).toEqual({ class: "timeout", message: "no answer within 150 ms" });
    }
  });

  it("is recorded as a timeout if the body of an error never ends", async () => {
    const baseUrl = await serve((_, response) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.write('{"error": {"message": "we are');
    });
    const answer = await askServer(baseUrl, {}, 150);
    expect(answer.error).toEqual({ class: "timeout", message: "no answer within 150 ms" });
  });

  it("keeps its status if the body of the error is cut off", async () => {
    const baseUrl = await serve((_, response) => {
      response.writeHead(503, { "content-length": "100" });
      response.write("we are", () => response.destroy());
    });
    const answer = await askServer(baseUrl);
    expect(answer).toMatchObject({ error: { class: "server_error" }, httpStatus: 503 });
  });
});

describe("a permanent failure", () => {
  it.each([
    ["redirect", "redirect", 302],
    ["401", "unauthorized", 401],
    ["404", "not_found", 404],
  ])("%s is not retried", async (fault, kind, httpStatus) => {
    const { answer, waits } = await ask(`sim-instant?faults=${fault}`);
    expect(answer).toMatchObject({ error: { class: kind }, attempts: 1, httpStatus });
    expect(waits).toEqual([]);
  });

  it("is recorded as too_large for an endless response", async () => {
    const { answer } = await ask("sim-instant?faults=huge", { timeoutMs: 20_000 });
    expect(answer).toMatchObject({ error: { class: "too_large" }, attempts: 1 });
  });

  it("does not contain a key that the endpoint repeats", async () => {
    const { answer } = await ask("sim-instant?faults=401", { apiKey: "sk-short" });
    expect(answer.error?.class).toBe("unauthorized");
    expect(JSON.stringify(answer)).not.toContain("sk-short");
  });

  it("is recorded as network after retries of an unreachable endpoint", async () => {
    const client = modelClient({ now: Date.now, sleep: async () => {}, random: () => 0 });
    const endpoint = {
      baseUrl: "http://127.0.0.1:9/v1",
      model: "m",
      maxTokensParam: "max_tokens" as const,
    };
    const limits = { timeoutMs: 2_000, maxRetries: 1, blockedMs: null };
    const answer = answerIn(await client(endpoint, aRequest(), limits, endpointMemory()));
    expect(answer).toMatchObject({ error: { class: "network" }, attempts: 2 });
  });
});

it("the query of a base URL is kept after the path, as Azure's deployments need", async () => {
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ choices: [{ finish_reason: "stop", message: { content: "4" } }] }),
    );
  });
  const baseUrl = `${origin.replace(/\/v1$/, "")}/openai/deployments/d?api-version=2025-01-01`;
  expect((await askServer(baseUrl)).output).toBe("4");
  expect(asked[0]).toBe("/openai/deployments/d/chat/completions?api-version=2025-01-01");
});
