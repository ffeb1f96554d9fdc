import { describe, expect, it, vi } from "vitest";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type BatchReply, batchClient } from "./batch-client.ts";

const key = "sk-batches-0123456789";
const endpoints = {
  openai: { baseUrl: "https://api.openai.com/v1", protocol: "responses", model: "gpt-6-luna" },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    protocol: "messages",
    model: "claude-haiku-4-5",
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    protocol: "generate_content",
    model: "gemini-2.5-flash",
  },
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    protocol: "chat_completions",
    model: "mistral-small-latest",
  },
} as const;
type Name = keyof typeof endpoints;

const clientOf = (name: Name) =>
  batchClient(
    { ...endpoints[name], apiKey: key, maxTokensParam: "max_tokens" } as Endpoint,
    () => 0,
  )!;

/** Mocks the network with replies by method and path; returns what was sent, as text. */
function mockReplies(replies: Record<string, object | string>) {
  const sent: { to: string; headers: Record<string, string>; body: string }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const { pathname, search } = new URL(String(url));
    const to = `${init?.method} ${pathname}${search}`;
    const form = init?.body instanceof FormData ? (init.body.get("file") as File) : null;
    const body = form === null ? String(init?.body ?? "") : await form.text();
    sent.push({ to, headers: init?.headers as Record<string, string>, body });
    const reply = replies[to];
    if (reply === undefined) return Response.json({ error: { message: to } }, { status: 404 });
    return typeof reply === "string" ? new Response(reply) : Response.json(reply);
  });
  return sent;
}

async function repliesOf(name: Name, id: string, ids: string[]): Promise<BatchReply[]> {
  const looked = await clientOf(name).look(id, ids);
  if (!looked.ok || looked.value.kind === "open") throw new Error("open");
  const replies: BatchReply[] = [];
  for await (const reply of looked.value.replies()) replies.push(reply);
  return replies;
}

const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const item = (id: string) => ({ id, text: '{"model":"m","max_tokens":5}' });

/** Submission request, reply, batch id and request body of each provider. */
const submissions: Record<Name, [string, object, string, string]> = {
  openai: [
    "POST /v1/batches",
    { id: "batch_6a85c11599808190", status: "validating" },
    "batch_6a85c11599808190",
    '{"input_file_id":"file-MgkwTn57","endpoint":"/v1/responses","completion_window":"24h","metadata":{"assay_batch":"bat_1"}}',
  ],
  anthropic: [
    "POST /v1/messages/batches",
    { id: "msgbatch_01GUqGVJ", processing_status: "in_progress", results_url: null },
    "msgbatch_01GUqGVJ",
    '{"requests":[{"custom_id":"a","params":{"model":"m","max_tokens":5}}]}',
  ],
  gemini: [
    "POST /v1beta/models/gemini-2.5-flash:batchGenerateContent",
    { name: "batches/31u18uq6", metadata: { state: "BATCH_STATE_PENDING" } },
    "batches/31u18uq6",
    '{"batch":{"displayName":"bat_1","inputConfig":{"requests":{"requests":[{"request":{"model":"m","max_tokens":5,"model":"models/gemini-2.5-flash"},"metadata":{"key":"a"}}]}}}}',
  ],
  mistral: [
    "POST /v1/batch/jobs",
    { id: "ca1cd668-91bd-4abb", status: "QUEUED" },
    "ca1cd668-91bd-4abb",
    '{"endpoint":"/v1/chat/completions","model":"mistral-small-latest","metadata":{"assay_batch":"bat_1"},"timeout_hours":24,"requests":[{"custom_id":"a","body":{"model":"m","max_tokens":5}}]}',
  ],
};

describe("submit()", () => {
  it.each(Object.keys(endpoints) as Name[])("sends a batch to %s", async (name) => {
    const [to, reply, id, body] = submissions[name];
    const sent = mockReplies({ "POST /v1/files": { id: "file-MgkwTn57" }, [to]: reply });
    const made = await clientOf(name).submit({ id: "bat_1", items: [item("a")] });
    expect(made).toEqual({ ok: true, value: id });
    expect(sent.at(-1)).toMatchObject({ to, body });
    expect(Object.values(sent[0]!.headers).join()).toContain(key);
  });

  it("uploads a file with one line per request to OpenAI", async () => {
    const sent = mockReplies({
      "POST /v1/files": { id: "file-1" },
      "POST /v1/batches": { id: "batch_1" },
    });
    await clientOf("openai").submit({ id: "bat_1", items: [item("a"), item("b")] });
    expect(
      sent[0]?.body
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { custom_id: "a", method: "POST", url: "/v1/responses", body: { model: "m", max_tokens: 5 } },
      { custom_id: "b", method: "POST", url: "/v1/responses", body: { model: "m", max_tokens: 5 } },
    ]);
  });

  it.each([
    [429, { error: { message: "slow down", type: "rate_limit_error" } }, "rate_limited", true],
    [401, { error: { message: `Incorrect API key provided: ${key}` } }, "unauthorized", false],
    [400, { error: { message: "too many requests in the file" } }, "bad_request", false],
    [503, "<html>", "server_error", true],
  ])("classifies a refused submission with status %i", async (status, body, name, retryable) => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
      typeof body === "string" ? new Response(body, { status }) : Response.json(body, { status }),
    );
    const made = await clientOf("anthropic").submit({ id: "bat_1", items: [item("a")] });
    expect(made).toMatchObject({
      ok: false,
      failure: { class: name, retryable, httpStatus: status },
    });
    expect(JSON.stringify(made)).not.toContain(key);
  });
});

describe("find()", () => {
  const lost = { id: "bat_1", requests: 3, createdAt: Date.parse("2026-08-19T14:00:00Z") };
  const batches = {
    data: [
      { id: "other", metadata: null },
      { id: "ours", metadata: { assay_batch: "bat_1" } },
    ],
  };

  it.each<[Name, string, object, string]>([
    ["openai", "GET /v1/batches?limit=100", batches, "ours"],
    ["mistral", "GET /v1/batch/jobs?page_size=100&order_by=-created", batches, "ours"],
    [
      "gemini",
      "GET /v1beta/batches?pageSize=100",
      { operations: [{ name: "batches/ours", metadata: { displayName: "bat_1" } }] },
      "batches/ours",
    ],
  ])("finds a batch at %s by its name", async (name, path, list, id) => {
    mockReplies({ [path]: list });
    const isFree = async () => true;
    expect(await clientOf(name).find({ ...lost, isFree })).toEqual({ ok: true, value: id });
    const other = await clientOf(name).find({ ...lost, id: "bat_2", isFree });
    expect(other).toEqual({ ok: true, value: null });
  });

  it("finds a batch at Anthropic by time and size, unless another of our batches has it", async () => {
    const batch = (id: string, created_at: string, processing: number) => ({
      id,
      created_at,
      request_counts: { processing, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    });
    const data = [
      batch("known", "2026-08-19T14:00:20Z", 3),
      batch("small", "2026-08-19T14:00:10Z", 2),
      batch("ours", "2026-08-19T14:00:05Z", 3),
      batch("old", "2026-08-19T13:00:00Z", 3),
    ];
    mockReplies({ "GET /v1/messages/batches?limit=100": { data } });
    const isFree = async (id: string) => id !== "known";
    expect(await clientOf("anthropic").find({ ...lost, isFree })).toEqual({
      ok: true,
      value: "ours",
    });
    const none = await clientOf("anthropic").find({ ...lost, isFree: async () => false });
    expect(none).toEqual({ ok: true, value: null });
  });
});

describe("look()", () => {
  it.each<[Name, string, object]>([
    ["openai", "GET /v1/batches/b", { status: "finalizing" }],
    ["anthropic", "GET /v1/messages/batches/b", { processing_status: "canceling" }],
    ["gemini", "GET /v1beta/b", { metadata: { state: "BATCH_STATE_RUNNING" } }],
    ["mistral", "GET /v1/batch/jobs/b", { status: "CANCELLATION_REQUESTED" }],
  ])("reports an open batch at %s", async (name, path, reply) => {
    mockReplies({ [path]: reply });
    expect(await clientOf(name).look("b", [])).toEqual({ ok: true, value: { kind: "open" } });
  });

  it.each<[Name, string, object, string, boolean]>([
    ["openai", "GET /v1/batches/b", { status: "expired" }, "timeout", true],
    [
      "openai",
      "GET /v1/batches/b",
      { status: "failed", errors: { data: [{ code: "invalid_json_line", message: "line 1" }] } },
      "bad_request",
      false,
    ],
    [
      "openai",
      "GET /v1/batches/b",
      { status: "failed", errors: { data: [{ code: "token_limit_exceeded", message: "…" }] } },
      "rate_limited",
      true,
    ],
    ["mistral", "GET /v1/batch/jobs/b", { status: "TIMEOUT_EXCEEDED" }, "timeout", true],
    [
      "mistral",
      "GET /v1/batch/jobs/b",
      { status: "FAILED", errors: [{ message: "bad", count: 1 }] },
      "bad_request",
      false,
    ],
    ["gemini", "GET /v1beta/b", { metadata: { state: "BATCH_STATE_EXPIRED" } }, "timeout", true],
    [
      "gemini",
      "GET /v1beta/b",
      { done: true, error: { code: 5, message: "no such model" } },
      "not_found",
      false,
    ],
  ])(
    "gives the reason why requests at %s have no result",
    async (name, path, reply, kind, retryable) => {
      mockReplies({ [path]: reply });
      const looked = await clientOf(name).look("b", ["a"]);
      expect(looked).toMatchObject({ value: { missing: { class: kind, retryable } } });
    },
  );
});

describe("replies()", () => {
  it("reads OpenAI's replies from two files, in any order", async () => {
    const message = { role: "assistant", content: [{ type: "output_text", text: "4" }] };
    const body = {
      object: "response",
      model: "gpt-6-luna",
      status: "completed",
      output: [{ type: "message", status: "completed", ...message }],
      usage: { input_tokens: 24, output_tokens: 15 },
    };
    const bad = { error: { message: "Unsupported parameter", param: "temperature" } };
    mockReplies({
      "GET /v1/batches/b": { status: "completed", output_file_id: "f1", error_file_id: "f2" },
      "GET /v1/files/f1/content": lines({
        custom_id: "b",
        response: { status_code: 200, request_id: "r", body },
        error: null,
      }),
      "GET /v1/files/f2/content": `not JSON\n${lines(
        { custom_id: "a", response: { status_code: 400, body: bad }, error: null },
        { custom_id: "c", response: null, error: { code: "batch_expired", message: "late" } },
      )}`,
    });
    expect(await repliesOf("openai", "b", ["a", "b", "c"])).toMatchObject([
      {
        id: "b",
        answer: { output: "4", inputTokens: 24, outputTokens: 15, batch: true, latencyMs: null },
      },
      { id: "a", failure: { class: "bad_request", param: "temperature", retryable: false } },
      { id: "c", failure: { class: "timeout", retryable: true } },
    ]);
  });

  it("reads Anthropic's replies by the type of each line", async () => {
    const message = {
      type: "message",
      role: "assistant",
      model: "claude-haiku-4-5",
      content: [{ type: "text", text: "Jupiter" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 11, output_tokens: 36 },
    };
    const error = { type: "error", error: { type: "invalid_request_error", message: "no" } };
    const busy = { type: "error", error: { type: "overloaded_error", message: "busy" } };
    mockReplies({
      "GET /v1/messages/batches/b": {
        processing_status: "ended",
        results_url: "https://elsewhere",
      },
      "GET /v1/messages/batches/b/results": lines(
        { custom_id: "b", result: { type: "succeeded", message } },
        { custom_id: "a", result: { type: "errored", error } },
        { custom_id: "c", result: { type: "expired" } },
        { custom_id: "d", result: { type: "canceled" } },
        { custom_id: "e", result: { type: "errored", error: busy } },
      ),
    });
    expect(await repliesOf("anthropic", "b", [])).toMatchObject([
      { id: "b", answer: { output: "Jupiter", outputTokens: 36, batch: true } },
      { id: "a", failure: { class: "bad_request", retryable: false } },
      { id: "c", failure: { class: "timeout", retryable: true } },
      { id: "d", failure: { class: "server_error", retryable: true } },
      { id: "e", failure: { class: "server_error", retryable: true } },
    ]);
  });

  it("reads Gemini's replies from the operation, by key or else in order", async () => {
    const response = {
      candidates: [{ content: { parts: [{ text: "4" }], role: "model" }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1, totalTokenCount: 9 },
    };
    const inlinedResponses = [
      { response },
      { metadata: { key: "a" }, error: { code: 8, message: "quota" } },
    ];
    mockReplies({
      "GET /v1beta/batches/b": {
        done: true,
        metadata: { state: "BATCH_STATE_SUCCEEDED" },
        response: { inlinedResponses: { inlinedResponses } },
      },
    });
    expect(await repliesOf("gemini", "batches/b", ["b", "a"])).toMatchObject([
      { id: "b", answer: { output: "4", inputTokens: 8 } },
      { id: "a", failure: { class: "rate_limited", retryable: true } },
    ]);
  });

  it("reads Mistral's replies from files like OpenAI's", async () => {
    const choices = [
      { index: 0, message: { role: "assistant", content: "4" }, finish_reason: "stop" },
    ];
    const body = {
      object: "chat.completion",
      choices,
      usage: { prompt_tokens: 9, completion_tokens: 2 },
    };
    mockReplies({
      "GET /v1/batch/jobs/b": { status: "SUCCESS", output_file: "f1", error_file: null },
      "GET /v1/files/f1/content": lines({ custom_id: "a", response: { status_code: 200, body } }),
    });
    expect(await repliesOf("mistral", "b", ["a"])).toMatchObject([
      { id: "a", answer: { output: "4", inputTokens: 9 } },
    ]);
  });
});

it("bodyOf() converts the schema to the dialect of Gemini's batches", () => {
  const responseJsonSchema = {
    type: "object",
    additionalProperties: false,
    properties: {
      additionalProperties: { type: ["string", "null"] },
      list: { type: "array", items: { type: ["string", "number"] } },
    },
  };
  const body = { contents: [], generationConfig: { temperature: 0, responseJsonSchema } };
  expect(clientOf("gemini").bodyOf(body)).toEqual({
    contents: [],
    generationConfig: {
      temperature: 0,
      responseSchema: {
        type: "object",
        properties: {
          additionalProperties: { type: "string", nullable: true },
          list: {
            type: "array",
            items: { anyOf: [{ type: "string" }, { type: "number" }] },
          },
        },
      },
    },
  });
  expect(clientOf("openai").bodyOf(body)).toBe(body);
});

it("submit() refuses a provider's id that contains a path", async () => {
  mockReplies({ "POST /v1/messages/batches": { id: "../files" } });
  const made = await clientOf("anthropic").submit({ id: "bat_1", items: [] });
  expect(made).toMatchObject({ ok: false });
});

it("batchClient() is null for an endpoint without batches", () => {
  expect(
    batchClient({ baseUrl: "https://openrouter.ai/api/v1", model: "m" } as Endpoint, () => 0),
  ).toBeNull();
});
