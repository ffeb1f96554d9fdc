import { failed, readAs, reply, stream } from "./native-replies.ts";

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
const item = (text: string, more: object = {}) => ({
  type: "message",
  content: [{ type: "output_text", text }],
  ...more,
});

readAs("Responses", [
  [
    "a text after a summary of thoughts",
    respond([{ type: "reasoning", summary: [{ type: "summary_text", text: "2 + 2" }] }, item("4")]),
    {
      outcome: "answered",
      answer: "4",
      thoughts: "2 + 2",
      stop: "stop",
      usage: { input: 20, output: 9, reasoning: 5, cached: 16 },
    },
  ],
  [
    "thoughts without a summary",
    respond([{ type: "reasoning", summary: [], content: [{ text: "two and two" }] }, item("4")]),
    { answer: "4", thoughts: "two and two" },
  ],
  [
    "commentary between calls, which is not the answer",
    respond([item("Let me look.", { phase: "commentary" }), item("4", { phase: "final_answer" })]),
    { answer: "4", thoughts: "Let me look." },
  ],
  [
    "commentary without an answer",
    respond([item("Let me look.", { phase: "commentary" })]),
    { outcome: "empty", answer: null, thoughts: "Let me look." },
  ],
  [
    "several calls wrapped in one",
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
    "a refusal",
    respond([{ type: "message", content: [{ type: "refusal", refusal: "I can't." }] }]),
    { outcome: "refused", answer: null },
  ],
  [
    "a truncation before any answer",
    respond([], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
    { outcome: "empty", stop: "length" },
  ],
  ["in progress", respond([], { status: "in_progress" }), failed("invalid_response", true)],
  [
    "a stream whose last event has no items",
    stream(
      "responses",
      { type: "response.output_text.delta", delta: "4" },
      { type: "response.output_item.done", item: item("4") },
      { type: "response.completed", response: { status: "completed", output: [] } },
    ),
    { answer: "4" },
  ],
  [
    "a stream that breaks off",
    stream("responses", { type: "response.output_text.delta", delta: "4" }),
    { answer: "4", ...failed("invalid_response", true) },
  ],
  [
    "a stream that breaks off within a call",
    stream(
      "responses",
      { type: "response.output_item.done", item: item("Look.") },
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
    "a stream that breaks off within thoughts",
    stream(
      "responses",
      { type: "response.output_item.added", item: { type: "reasoning", summary: [] } },
      { type: "response.reasoning_summary_text.delta", delta: "2 + " },
    ),
    { answer: null, thoughts: "2 + ", ...failed("invalid_response", true) },
  ],
  [
    "a stream that fails",
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
]);
