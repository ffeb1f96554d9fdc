import { failed, readAs, reply, stream } from "./native-replies.ts";

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

readAs("Messages", [
  [
    "a stream whose last token counts are null",
    stream("messages", start, block(0, { type: "text", text: "4" }), {
      ...end("end_turn"),
      usage: { input_tokens: null, output_tokens: 8 },
    }),
    { answer: "4", usage: { input: 3, output: 8, reasoning: null, cached: null } },
  ],
  [
    "thoughts, text and input from a cache",
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
    "a model that refuses tool_choice",
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
    "thoughts that are not shown",
    message([
      { type: "redacted_thinking", data: "…" },
      { type: "text", text: "4" },
    ]),
    { answer: "4", thoughts: null },
  ],
  [
    "tokens of thoughts",
    message([{ type: "text", text: "4" }], {
      usage: { input_tokens: 3, output_tokens: 9, output_tokens_details: { thinking_tokens: 7 } },
    }),
    { usage: { input: 3, output: 9, reasoning: 7, cached: null } },
  ],
  [
    "calls",
    message([{ type: "tool_use", name: "weather", input: { city: "Oslo" } }], {
      stop_reason: "tool_use",
    }),
    { calls: [{ name: "weather", arguments: { city: "Oslo" } }], stop: "tool_calls" },
  ],
  ["a refusal", message([], { stop_reason: "refusal" }), { outcome: "refused", stop: "refusal" }],
  [
    "thoughts that used up the tokens",
    message([{ type: "thinking", thinking: "2 + …" }], { stop_reason: "max_tokens" }),
    { outcome: "empty", stop: "length" },
  ],
  [
    "a stream that starts again, with a call in pieces",
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
    "a call without arguments",
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
    "a stream that breaks off",
    stream("messages", start, block(0, { type: "text", text: "4" })),
    { answer: "4", ...failed("invalid_response", true) },
  ],
  [
    "a stream that breaks off within a call",
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
    "an overloaded_error in a stream",
    stream("messages", { type: "error", error: { type: "overloaded_error", message: "busy" } }),
    failed("server_error", true),
  ],
  [
    "an overloaded_error",
    reply("messages", {
      status: 529,
      body: { type: "error", error: { type: "overloaded_error", message: "busy" } },
    }),
    failed("server_error", true),
  ],
]);
