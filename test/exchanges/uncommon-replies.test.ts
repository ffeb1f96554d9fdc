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

const event = (one: object) => `data: ${JSON.stringify(one)}\n\n`;
const DONE = "data: [DONE]\n\n";
const raw = (api: string, ...events: string[]) => reply(api, { sse: events.join("") });
const stream = (api: string, ...events: object[]) => raw(api, ...events.map(event));

const delta = (fields: object, finish: string | null = null, more: object = {}) => ({
  model: "m-2026",
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
  ...more,
});
const whole = (content: unknown, finish: string, more: object = {}) =>
  reply("chat", {
    body: {
      model: "m-2026",
      choices: [{ index: 0, finish_reason: finish, message: { content }, ...more }],
    },
  });
const call = (city: string, more: object = {}) => ({
  type: "function",
  id: "",
  function: { name: "weather", arguments: JSON.stringify({ city }) },
  ...more,
});
const called = (...cities: string[]) => ({
  outcome: "answered" as const,
  calls: cities.map((city) => ({ name: "weather", arguments: { city } })),
});
const failed = (kind: string, retryable: boolean, more: Partial<ReadExchange> = {}) => ({
  outcome: "failed" as const,
  failure: { class: kind as "server_error", retryable, retryAfterMs: null },
  ...more,
});
const error = (status: number, body: object) => reply("chat", { status, body });

const added = (output_index: number, item: object) => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const more = (kind: string, output_index: number, delta: string, fields: object = {}) => ({
  type: `response.${kind}.delta`,
  output_index,
  delta,
  ...fields,
});
const written = (text: string, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] } }],
  ...more,
});

/** Replies in formats of a few providers, with our own texts, and the expected reading of each. */
const cases: readonly [name: string, exchange: Exchange, read: Partial<ReadExchange>][] = [
  [
    "Google's calls without index and id, each in its own event",
    stream(
      "chat",
      delta({ tool_calls: [call("Oslo")] }),
      delta({ tool_calls: [call("Lima")] }, "stop"),
    ),
    called("Oslo", "Lima"),
  ],
  [
    "Google's calls without index and id, in one event",
    stream("chat", delta({ tool_calls: [call("Oslo"), call("Lima")] }, "stop")),
    called("Oslo", "Lima"),
  ],
  [
    "whole calls that all have the index 0",
    stream(
      "chat",
      delta({ tool_calls: [call("Oslo", { index: 0 })] }),
      delta({ tool_calls: [call("Lima", { index: 0 })] }, "tool_calls"),
    ),
    called("Oslo", "Lima"),
  ],
  [
    "a call with another name at the same index",
    stream(
      "chat",
      delta({ tool_calls: [{ index: 0, function: { name: "roll", arguments: "" } }] }),
      delta({ tool_calls: [call("Lima", { index: 0 })] }, "tool_calls"),
    ),
    {
      calls: [
        { name: "roll", arguments: {} },
        { name: "weather", arguments: { city: "Lima" } },
      ],
    },
  ],
  [
    "a call whose name is in each piece",
    stream(
      "chat",
      ...['{"city":', '"Os', 'lo"}', ""].map((piece) =>
        delta({ tool_calls: [{ index: 0, function: { name: "weather", arguments: piece } }] }),
      ),
      delta({}, "tool_calls"),
    ),
    called("Oslo"),
  ],
  [
    "a function_call of an older server, in pieces",
    stream(
      "chat",
      delta({ content: null, function_call: { name: "weather", arguments: "" } }),
      delta({ function_call: { arguments: '{"city":' } }),
      delta({ function_call: { arguments: '"Oslo"}' } }),
      delta({}, "function_call"),
    ),
    called("Oslo"),
  ],
  ...["abort", "insufficient_system_resource"].flatMap((end): (typeof cases)[number][] => [
    [
      `an answer that ends with ${end}`,
      whole("Os", end),
      failed("server_error", true, { answer: "Os" }),
    ],
    [
      `a stream that ends with ${end}`,
      stream("chat", delta({ reasoning_content: "Hm" }), delta({ content: "Os" }, end)),
      failed("server_error", true, { answer: "Os", thoughts: "Hm" }),
    ],
  ]),
  [
    "an error of a choice with text before it",
    whole("Os", "error", { error: { code: 502, message: "away" } }),
    failed("server_error", true, { answer: "Os" }),
  ],
  [
    "Groq's error in its own field",
    stream(
      "chat",
      delta({ content: "Os" }),
      delta({}, "stop", { x_groq: { error: "overloaded" } }),
    ),
    failed("server_error", true, { answer: "Os" }),
  ],
  [
    "Groq's usage in its own field",
    stream(
      "chat",
      delta({ content: "Oslo" }, null, { x_groq: { id: "r" } }),
      delta({}, "stop", { x_groq: { usage: { prompt_tokens: 9, completion_tokens: 2 } } }),
    ),
    { answer: "Oslo", usage: { input: 9, output: 2, reasoning: null, cached: null } },
  ],
  [
    "Groq's flex tier without capacity",
    error(498, { error: { message: "no capacity left", code: "capacity_exceeded" } }),
    failed("rate_limited", true),
  ],
  [
    "used up credits, recognised by the message",
    error(429, { code: "exhausted", error: "The team reached its monthly spending limit." }),
    failed("rate_limited", false),
  ],
  [
    "an account without billing",
    error(429, { error: { message: "check your billing", code: "billing_not_active" } }),
    failed("rate_limited", false),
  ],
  ["a text that ends with eos", whole("4", "eos"), { stop: "stop" }],
  ["a text that fills the context", whole("4", "model_length"), { stop: "length" }],
  [
    "a filter's events without a model",
    stream("chat", delta({ content: "Oslo" }, "stop"), delta({}, null, { model: "" }), {
      model: "",
      choices: [],
      prompt_filter_results: [],
    }),
    { answer: "Oslo", servedModel: "m-2026" },
  ],
  [
    "events without data",
    raw(
      "chat",
      event(delta({ content: "Os" })),
      "event: ping\n\n",
      "data:\n\n",
      event(delta({ content: "lo" }, "stop")),
      "data: [DONE] \n\n",
    ),
    { outcome: "answered", answer: "Oslo", stop: "stop" },
  ],
  [
    "a stream without its last blank line",
    raw("chat", event(delta({ content: "Oslo" })), event(delta({}, "stop")).trimEnd()),
    { outcome: "answered", answer: "Oslo" },
  ],
  [
    "vLLM's error in a stream",
    raw(
      "chat",
      event(delta({ content: "Os" })),
      event({ object: "error", message: "died", code: 500 }),
      DONE,
    ),
    failed("server_error", true, { answer: "Os" }),
  ],
  [
    "vLLM's refusal in a stream",
    raw("chat", event({ object: "error", message: "too long", code: 400 }), DONE),
    failed("bad_request", false),
  ],
  [
    "llama.cpp's error in a field of the event",
    raw(
      "chat",
      event(delta({ content: "Os" })),
      'error: {"code":400,"message":"too long"}\n\n',
      DONE,
    ),
    failed("bad_request", false, { answer: "Os" }),
  ],
  [
    "Messages: an event without data",
    raw(
      "messages",
      event({ type: "message_start", message: { content: [], stop_reason: null } }),
      "event: ping\n\n",
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "4" } }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" } }),
    ),
    { outcome: "answered", answer: "4", stop: "stop" },
  ],
  [
    "Responses: a stream that breaks off within two parallel calls",
    stream(
      "responses",
      added(0, { type: "function_call", name: "weather", arguments: "" }),
      added(1, { type: "function_call", name: "roll", arguments: "" }),
      more("function_call_arguments", 1, '{"sides":'),
      more("function_call_arguments", 0, '{"city":"Oslo"}'),
    ),
    failed("invalid_response", true, {
      calls: [
        { name: "weather", arguments: { city: "Oslo" } },
        { name: "roll", arguments: '{"sides":' },
      ],
    }),
  ],
  [
    "Responses: a stream that breaks off within a summary in parts",
    stream(
      "responses",
      added(0, { type: "reasoning", summary: [] }),
      more("reasoning_summary_text", 0, "First", { summary_index: 0 }),
      more("reasoning_summary_text", 0, ".", { summary_index: 0 }),
      more("reasoning_summary_text", 0, "Then.", { summary_index: 1 }),
    ),
    failed("invalid_response", true, { answer: null, thoughts: "First.\n\nThen." }),
  ],
  [
    "Gemini: a stream that breaks off after the safety ratings of its prompt",
    stream("generateContent", written("Once", { promptFeedback: { safetyRatings: [] } })),
    failed("invalid_response", true, { answer: "Once" }),
  ],
  [
    "Gemini: a stream with text that a filter stops",
    stream("generateContent", written("Once"), { promptFeedback: { blockReason: "OTHER" } }),
    { outcome: "refused", answer: "Once", stop: "content_filter" },
  ],
  [
    "Gemini: an array of chunks that ends with an error",
    reply("generateContent", { body: [written("Os"), { error: { code: 503, message: "away" } }] }),
    failed("server_error", true, { answer: "Os" }),
  ],
  [
    "Gemini: arguments in pieces with spaces in their names",
    stream("generateContent", {
      candidates: [
        {
          content: {
            parts: [
              { functionCall: { name: "greet", willContinue: true } },
              {
                functionCall: {
                  partialArgs: [{ jsonPath: '$["first name"]', stringValue: "Ida" }],
                },
              },
            ],
          },
          finishReason: "STOP",
        },
      ],
    }),
    { stop: "tool_calls", calls: [{ name: "greet", arguments: { "first name": "Ida" } }] },
  ],
];

describe("an uncommon reply of a provider", () => {
  it.each(cases)("%s", async (_, exchange, read) => {
    expect(await readExchange(exchange)).toMatchObject(read);
  });
});
