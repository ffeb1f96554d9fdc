import { failed, readAs, reply, stream } from "./native-replies.ts";

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

readAs("Gemini", [
  [
    "thoughts, which are billed but not counted among the candidate's tokens",
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
    "thoughts that used up the tokens",
    reply("generateContent", { body: generated([], { finishReason: "MAX_TOKENS" }) }),
    { outcome: "empty", stop: "length" },
  ],
  [
    "a filtered answer",
    reply("generateContent", { body: { candidates: [{ content: {}, finishReason: "SAFETY" }] } }),
    { outcome: "refused", stop: "content_filter" },
  ],
  [
    "a blocked prompt",
    reply("generateContent", { body: { promptFeedback: { blockReason: "OTHER" } } }),
    { outcome: "refused", stop: "content_filter" },
  ],
  [
    "a malformed call",
    reply("generateContent", { body: generated([], { finishReason: "MALFORMED_FUNCTION_CALL" }) }),
    { outcome: "empty", stop: "malformed_function_call" },
  ],
  [
    "a stream as one array",
    reply("streamGenerateContent", {
      body: [generated([{ text: "Os" }]), generated([{ text: "lo" }], STOP)],
    }),
    { answer: "Oslo" },
  ],
  [
    "a call whose arguments arrive in pieces",
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
    "a stream that breaks off",
    stream("streamGenerateContent", generated([{ text: "Os" }])),
    { answer: "Os", ...failed("invalid_response", true) },
  ],
  [
    "a rate limit in a list, with a delay",
    reply("streamGenerateContent", {
      status: 429,
      body: [{ error: { code: 429, message: "quota", details: [{ retryDelay: "48s" }] } }],
    }),
    failed("rate_limited", true, 48_000),
  ],
  [
    "tokens of a recording",
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
    "an error in a stream",
    reply("streamGenerateContent", {
      body: [{ error: { code: 503, message: "busy", status: "UNAVAILABLE" } }],
    }),
    failed("server_error", true),
  ],
]);
