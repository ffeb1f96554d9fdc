import { describe, expect, it } from "vitest";
import { type Exchange, exchangeSchema, type ReadExchange, readExchange } from "./read-exchange.ts";

const reply = (api: string, response: object): Exchange =>
  exchangeSchema.parse({
    provider: "p",
    api,
    case: "c",
    request: { body: null },
    response: { status: 200, ...response },
  });
const stream = (api: string, ...events: object[]) =>
  reply(api, { sse: events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("") });

const respond = (output: object[], more: object = {}) =>
  reply("responses", {
    body: {
      object: "response",
      status: "completed",
      model: "m-2026",
      output,
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 16 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 5 },
      },
      ...more,
    },
  });
const said = (text: string, more: object = {}) => ({
  type: "message",
  content: [{ type: "output_text", text }],
  ...more,
});

const message = (content: object[], more: object = {}) =>
  reply("messages", {
    body: {
      type: "message",
      model: "m-2026",
      content,
      stop_reason: "end_turn",
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 40,
        cache_creation_input_tokens: 7,
        output_tokens: 5,
      },
      ...more,
    },
  });
const start = {
  type: "message_start",
  message: {
    model: "m-2026",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
};
const block = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const part = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
const end = (stop_reason: string) => ({
  type: "message_delta",
  delta: { stop_reason },
  usage: { output_tokens: 8 },
});

const generated = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, ...more }],
  usageMetadata: {
    promptTokenCount: 9,
    candidatesTokenCount: 4,
    thoughtsTokenCount: 20,
    totalTokenCount: 33,
  },
  modelVersion: "m-2026",
});
const STOP = { finishReason: "STOP" };
const failed = (kind: string, retryable: boolean, retryAfterMs: number | null = null) => ({
  outcome: "failed" as const,
  failure: { class: kind as "server_error", retryable, retryAfterMs },
});

/** Replies in the shapes of providers, in words of our own, and what is read of each. */
const cases: readonly [name: string, exchange: Exchange, read: Partial<ReadExchange>][] = [
  [
    "Responses: a text after a summary of thoughts",
    respond([{ type: "reasoning", summary: [{ type: "summary_text", text: "2 + 2" }] }, said("4")]),
    {
      outcome: "answered",
      answer: "4",
      thoughts: "2 + 2",
      stop: "stop",
      usage: { input: 20, output: 9, reasoning: 5, cached: 16 },
    },
  ],
  [
    "Responses: the thoughts themselves",
    respond([{ type: "reasoning", summary: [], content: [{ text: "two and two" }] }, said("4")]),
    { answer: "4", thoughts: "two and two" },
  ],
  [
    "Responses: a message between calls is no answer",
    respond([said("Let me look.", { phase: "commentary" }), said("4", { phase: "final_answer" })]),
    { answer: "4", thoughts: "Let me look." },
  ],
  [
    "Responses: messages between calls alone",
    respond([said("Let me look.", { phase: "commentary" })]),
    { outcome: "empty", answer: null, thoughts: "Let me look." },
  ],
  [
    "Responses: several calls in one",
    respond([
      {
        type: "function_call",
        name: "parallel",
        arguments:
          '{"tool_uses":[{"recipient_name":"functions.weather","parameters":{"city":"Oslo"}}]}',
      },
    ]),
    { calls: [{ name: "weather", arguments: { city: "Oslo" } }], stop: "tool_calls" },
  ],
  [
    "Responses: a refusal",
    respond([{ type: "message", content: [{ type: "refusal", refusal: "I can't." }] }]),
    { outcome: "refused", answer: null },
  ],
  [
    "Responses: cut off before any answer",
    respond([], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
    { outcome: "empty", stop: "length" },
  ],
  [
    "Responses: still at work",
    respond([], { status: "in_progress" }),
    failed("invalid_response", true),
  ],
  [
    "Responses: a stream whose last event lacks the items",
    stream(
      "responses",
      { type: "response.output_text.delta", delta: "4" },
      { type: "response.output_item.done", item: said("4") },
      { type: "response.completed", response: { status: "completed", output: [] } },
    ),
    { answer: "4" },
  ],
  [
    "Responses: a stream that breaks off",
    stream("responses", { type: "response.output_text.delta", delta: "4" }),
    { answer: "4", ...failed("invalid_response", true) },
  ],
  [
    "Responses: a stream that breaks off within a call",
    stream(
      "responses",
      { type: "response.output_item.done", item: said("Look.") },
      {
        type: "response.output_item.added",
        item: { type: "function_call", name: "weather", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", delta: '{"ci' },
    ),
    {
      answer: "Look.",
      calls: [{ name: "weather", arguments: '{"ci' }],
      ...failed("invalid_response", true),
    },
  ],
  [
    "Responses: a stream that breaks off within the thoughts",
    stream(
      "responses",
      { type: "response.output_item.added", item: { type: "reasoning", summary: [] } },
      { type: "response.reasoning_summary_text.delta", delta: "2 + " },
    ),
    { answer: null, thoughts: "2 + ", ...failed("invalid_response", true) },
  ],
  [
    "Responses: a stream that fails",
    stream(
      "responses",
      { type: "response.output_text.delta", delta: "Os" },
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "insufficient_quota", message: "quota" } },
      },
    ),
    { answer: "Os", ...failed("rate_limited", false) },
  ],
  [
    "Messages: thoughts, text and input from a cache",
    message([
      { type: "thinking", thinking: "2 + 2" },
      { type: "text", text: "4" },
    ]),
    {
      answer: "4",
      thoughts: "2 + 2",
      stop: "stop",
      usage: { input: 50, output: 5, reasoning: null, cached: 40 },
    },
  ],
  [
    "Messages: a forced call that the model refuses",
    reply("messages", {
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "tool_choice: this model takes only auto and none",
        },
      },
    }),
    failed("bad_request", false),
  ],
  [
    "Messages: thoughts that are not shown",
    message([
      { type: "redacted_thinking", data: "…" },
      { type: "text", text: "4" },
    ]),
    { answer: "4", thoughts: null },
  ],
  [
    "Messages: tokens of thoughts",
    message([{ type: "text", text: "4" }], {
      usage: { input_tokens: 3, output_tokens: 9, output_tokens_details: { thinking_tokens: 7 } },
    }),
    { usage: { input: 3, output: 9, reasoning: 7, cached: null } },
  ],
  [
    "Messages: calls",
    message([{ type: "tool_use", name: "weather", input: { city: "Oslo" } }], {
      stop_reason: "tool_use",
    }),
    { calls: [{ name: "weather", arguments: { city: "Oslo" } }], stop: "tool_calls" },
  ],
  [
    "Messages: a refusal",
    message([], { stop_reason: "refusal" }),
    { outcome: "refused", stop: "refusal" },
  ],
  [
    "Messages: thoughts that used up the tokens",
    message([{ type: "thinking", thinking: "2 + …" }], { stop_reason: "max_tokens" }),
    { outcome: "empty", stop: "length" },
  ],
  [
    "Messages: a stream that begins anew, with a call in pieces",
    stream(
      "messages",
      start,
      block(0, { type: "text", text: "" }),
      part(0, { type: "text_delta", text: "lost" }),
      start,
      { type: "ping" },
      block(0, { type: "thinking", thinking: "" }),
      part(0, { type: "thinking_delta", thinking: "Oslo?" }),
      block(1, { type: "tool_use", name: "weather", input: {} }),
      part(1, { type: "input_json_delta", partial_json: "" }),
      part(1, { type: "input_json_delta", partial_json: '{"ci' }),
      part(1, { type: "input_json_delta", partial_json: 'ty":"Oslo"}' }),
      end("tool_use"),
    ),
    {
      answer: null,
      thoughts: "Oslo?",
      calls: [{ name: "weather", arguments: { city: "Oslo" } }],
      usage: { input: 3, output: 8, reasoning: null, cached: null },
    },
  ],
  [
    "Messages: a call without arguments",
    stream(
      "messages",
      start,
      block(0, { type: "tool_use", name: "roll", input: {} }),
      part(0, { type: "input_json_delta", partial_json: "" }),
      end("tool_use"),
    ),
    { calls: [{ name: "roll", arguments: {} }] },
  ],
  [
    "Messages: a stream that breaks off",
    stream("messages", start, block(0, { type: "text", text: "4" })),
    { answer: "4", ...failed("invalid_response", true) },
  ],
  [
    "Messages: a stream that breaks off within a call",
    stream(
      "messages",
      start,
      block(0, { type: "tool_use", name: "weather", input: {} }),
      part(0, { type: "input_json_delta", partial_json: '{"city":"Oslo"}' }),
    ),
    {
      answer: null,
      calls: [{ name: "weather", arguments: { city: "Oslo" } }],
      ...failed("invalid_response", true),
    },
  ],
  [
    "Messages: overloaded, in a stream",
    stream("messages", { type: "error", error: { type: "overloaded_error", message: "busy" } }),
    failed("server_error", true),
  ],
  [
    "Messages: overloaded",
    reply("messages", {
      status: 529,
      body: { type: "error", error: { type: "overloaded_error", message: "busy" } },
    }),
    failed("server_error", true),
  ],
  [
    "Gemini: thoughts, which are billed but not counted among the candidate's tokens",
    reply("generateContent", {
      body: generated([{ text: "2 + 2", thought: true }, { text: "4" }], STOP),
    }),
    {
      answer: "4",
      thoughts: "2 + 2",
      stop: "stop",
      usage: { input: 9, output: 24, reasoning: 20, cached: null },
    },
  ],
  [
    "Gemini: thoughts that used up the tokens",
    reply("generateContent", { body: generated([], { finishReason: "MAX_TOKENS" }) }),
    { outcome: "empty", stop: "length" },
  ],
  [
    "Gemini: a filtered answer",
    reply("generateContent", { body: { candidates: [{ content: {}, finishReason: "SAFETY" }] } }),
    { outcome: "refused", stop: "content_filter" },
  ],
  [
    "Gemini: a blocked prompt",
    reply("generateContent", { body: { promptFeedback: { blockReason: "OTHER" } } }),
    { outcome: "refused", stop: "content_filter" },
  ],
  [
    "Gemini: a malformed call",
    reply("generateContent", { body: generated([], { finishReason: "MALFORMED_FUNCTION_CALL" }) }),
    { outcome: "empty", stop: "malformed_function_call" },
  ],
  [
    "Gemini: a stream as one array",
    reply("streamGenerateContent", {
      body: [generated([{ text: "Os" }]), generated([{ text: "lo" }], STOP)],
    }),
    { answer: "Oslo" },
  ],
  [
    "Gemini: a call whose arguments come in pieces",
    stream(
      "streamGenerateContent",
      generated([{ functionCall: { name: "plan", willContinue: true } }]),
      ...[
        { jsonPath: "$.days[0].city", stringValue: "Os" },
        { jsonPath: "$.days[0].city", stringValue: "lo" },
        { jsonPath: "$.days[1].nights", numberValue: 2 },
        { jsonPath: "$.__proto__.polluted", stringValue: "x" },
        { jsonPath: "$.days[99999999]", stringValue: "x" },
      ].map((piece) => generated([{ functionCall: { partialArgs: [piece], willContinue: true } }])),
      generated([{ functionCall: {} }], STOP),
    ),
    { calls: [{ name: "plan", arguments: { days: [{ city: "Oslo" }, { nights: 2 }] } }] },
  ],
  [
    "Gemini: a stream that breaks off",
    stream("streamGenerateContent", generated([{ text: "Os" }])),
    { answer: "Os", ...failed("invalid_response", true) },
  ],
  [
    "Gemini: a limit in a list, with a delay",
    reply("streamGenerateContent", {
      status: 429,
      body: [{ error: { code: 429, message: "quota", details: [{ retryDelay: "48s" }] } }],
    }),
    failed("rate_limited", true, 48_000),
  ],
  [
    "Gemini: tokens of a recording",
    reply("generateContent", {
      body: {
        ...generated([{ text: "4" }], STOP),
        usageMetadata: {
          promptTokenCount: 9,
          promptTokensDetails: [{ modality: "AUDIO", tokenCount: 6 }],
          candidatesTokenCount: 1,
        },
      },
    }),
    { usage: { input: 9, output: 1, reasoning: null, cached: null } },
  ],
  [
    "Gemini: an error in a stream",
    reply("streamGenerateContent", {
      body: [{ error: { code: 503, message: "busy", status: "UNAVAILABLE" } }],
    }),
    failed("server_error", true),
  ],
];

describe("a reply of a provider's own interface", () => {
  it.each(cases)("%s", async (_, exchange, read) => {
    expect(await readExchange(exchange)).toMatchObject(read);
  });
});
