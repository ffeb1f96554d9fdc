import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../shared/contracts/content-hash.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { hash32 } from "../../shared/stats/hash32.ts";
import { jsonLines } from "../support/json-lines.ts";
import {
  type Exchange,
  exchangeSchema,
  fixtureExchange,
  fixtureSchema,
  type ReadExchange,
  readExchange,
} from "./read-exchange.ts";

const reply = (response: object): Exchange =>
  exchangeSchema.parse({
    provider: "p",
    api: "chat",
    case: "c",
    request: { body: null },
    response: { status: 200, ...response },
  });

const whole = (message: object, more: object = {}, usage: object = {}) =>
  reply({
    body: {
      model: "m-2026",
      choices: [{ index: 0, finish_reason: "stop", message, ...more }],
      usage: { prompt_tokens: 9, completion_tokens: 4, ...usage },
    },
  });

const events = (...chunks: object[]) =>
  reply({
    sse: [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), "data: [DONE]\n\n"].join(""),
  });
const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const weather = { function: { name: "weather", arguments: '{"city":"Oslo"}' } };

/** Replies in the formats of providers, with our own texts, and the expected reading of each. */
const cases: readonly [name: string, exchange: Exchange, read: Partial<ReadExchange>][] = [
  [
    "a text, with the served model",
    whole({ content: "Oslo" }),
    { outcome: "answered", answer: "Oslo", stop: "stop", servedModel: "m-2026" },
  ],
  [
    "content parts with other type names",
    whole({ content: ["Os", { type: "output_text", text: "lo" }] }),
    { outcome: "answered", answer: "Oslo" },
  ],
  [
    "a function_call of an older server",
    whole({ content: null, function_call: weather.function }),
    { outcome: "answered", calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
  ],
  [
    "a call without a name, and a valid call",
    whole({ content: null, tool_calls: [{ function: { arguments: "{}" } }, weather] }),
    { calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
  ],
  [
    "a choice that ends with an error",
    whole({ content: "Os" }, { finish_reason: "error" }),
    { outcome: "failed", failure: { class: "server_error", retryable: true, retryAfterMs: null } },
  ],
  [
    "a stream whose choice has an error",
    events(delta({ content: "Os" }), {
      choices: [
        { index: 0, delta: {}, finish_reason: "error", error: { code: 502, message: "away" } },
      ],
    }),
    {
      outcome: "failed",
      answer: "Os",
      failure: { class: "server_error", retryable: true, retryAfterMs: null },
    },
  ],
  [
    "a stream that breaks off during thoughts in the text",
    events(delta({ content: "<think>\n2 +" })),
    { outcome: "failed", answer: null, thoughts: "2 +" },
  ],
  [
    "a stream of two calls with the same index",
    events(
      delta({ tool_calls: [{ index: 0, id: "a", ...weather }] }),
      delta({ tool_calls: [{ index: 0, id: "b", function: { name: "roll", arguments: "{" } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: "}" } }] }, "tool_calls"),
    ),
    {
      calls: [
        { name: "weather", arguments: { city: "Oslo" } },
        { name: "roll", arguments: {} },
      ],
    },
  ],
  [
    "an error without an error object",
    reply({
      body: { object: "error", message: "no such field", type: "invalid_request", code: 400 },
    }),
    { failure: { class: "bad_request", retryable: false, retryAfterMs: null } },
  ],
  [
    "a prompt blocked by a filter",
    reply({ status: 400, body: { error: { code: "content_filter", message: "filtered" } } }),
    { outcome: "refused", stop: "content_filter" },
  ],
  ...(
    [
      [400, { code: "data_inspection_failed", message: "inappropriate content" }],
      [400, { code: "invalid_request_error", message: "Content Exists Risk" }],
      [403, "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"],
      [403, { code: 403, message: "flagged", metadata: { reasons: ["violence"] } }],
    ] as const
  ).map(([status, error]): (typeof cases)[number] => [
    `status ${status} for a prompt blocked by a filter: ${JSON.stringify(error)}`,
    reply({ status, body: { error } }),
    { outcome: "refused", stop: "content_filter" },
  ]),
  ...(
    [
      ["API Key not found. Please pass a valid API key.", "unauthorized"],
      ["Missing or invalid Authorization header", "unauthorized"],
      ["Unknown field 'api_key': invalid request", "bad_request"],
      ["Model Not Exist", "not_found"],
      ["acme/none is not a valid model ID", "not_found"],
      ["this model does not support tools", "bad_request"],
    ] as const
  ).map(([message, kind]): (typeof cases)[number] => [
    `status 400: ${message}`,
    reply({ status: 400, body: { error: { message } } }),
    { failure: { class: kind, retryable: false, retryAfterMs: null } },
  ]),
  [
    "a call without arguments, and another call",
    whole({ content: null, tool_calls: [{ function: { name: "roll" } }, weather] }),
    {
      calls: [
        { name: "roll", arguments: {} },
        { name: "weather", arguments: { city: "Oslo" } },
      ],
    },
  ],
  [
    "cached tokens at the top level of usage",
    whole({ content: "4" }, {}, { cached_tokens: 8 }),
    { usage: { input: 9, output: 4, reasoning: null, cached: 8 } },
  ],
  [
    "thoughts in a field",
    whole({ content: "4", reasoning_content: "2 + 2" }),
    { outcome: "answered", answer: "4", thoughts: "2 + 2" },
  ],
  [
    "thoughts in the text",
    whole({ content: "<think>\n2 + 2\n</think>\n\n4" }),
    { outcome: "answered", answer: "4", thoughts: "2 + 2" },
  ],
  [
    "thoughts as parts of the content",
    whole({
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "2 + 2" }] },
        { type: "text", text: "4" },
      ],
    }),
    { outcome: "answered", answer: "4", thoughts: "2 + 2" },
  ],
  [
    "calls with arguments as text",
    whole({ content: null, tool_calls: [weather] }, { finish_reason: "tool_calls" }),
    { outcome: "answered", calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
  ],
  [
    "thoughts that used up the tokens",
    whole({ content: "" }, { finish_reason: "length" }, { completion_tokens: 50 }),
    { outcome: "empty", stop: "length" },
  ],
  [
    "tokens of thoughts that are only in the total",
    whole({ content: "4" }, {}, { prompt_tokens: 66, completion_tokens: 6, total_tokens: 100 }),
    { usage: { input: 66, output: 34, reasoning: 28, cached: null } },
  ],
  [
    "a call whose first piece has null arguments, and whose name is repeated",
    events(
      delta({ tool_calls: [{ index: 0, function: { name: "weather", arguments: null } }] }),
      delta({ tool_calls: [{ index: 0, ...weather }] }, "tool_calls"),
    ),
    { calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
  ],
  [
    "a call whose arguments are an object in one of several pieces",
    events(
      delta({ tool_calls: [{ index: 0, function: { name: "roll", arguments: { n: 1 } } }] }),
      delta({ tool_calls: [{ index: 0, function: {} }] }, "tool_calls"),
    ),
    { calls: [{ name: "roll", arguments: { n: 1 } }] },
  ],
  [
    "a refusal that is not a text",
    whole({ content: "4", refusal: false }),
    { outcome: "answered", answer: "4" },
  ],
  ["a refusal", whole({ content: null, refusal: "I can't." }), { outcome: "refused" }],
  [
    "a filter that omits the message",
    reply({ body: { choices: [{ index: 0, finish_reason: "content_filter" }] } }),
    { outcome: "refused", stop: "content_filter" },
  ],
  [
    "a stream of text with the usage at the end",
    events(
      delta({ role: "assistant", content: "" }),
      delta({ content: "Os" }),
      delta({ content: "lo" }, "stop"),
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
    ),
    {
      outcome: "answered",
      answer: "Oslo",
      usage: { input: 9, output: 2, reasoning: null, cached: null },
    },
  ],
  [
    "a stream of a call in pieces",
    events(
      delta({ tool_calls: [{ index: 0, function: { name: "weather", arguments: '{"ci' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: 'ty":"Oslo"}' } }] }, "tool_calls"),
    ),
    { outcome: "answered", calls: [{ name: "weather", arguments: { city: "Oslo" } }] },
  ],
  [
    "a stream that breaks off",
    events(delta({ content: "Os" })),
    {
      outcome: "failed",
      answer: "Os",
      failure: { class: "invalid_response", retryable: true, retryAfterMs: null },
    },
  ],
  [
    "a stream with an error that names its status",
    events(delta({ content: "may" }), {
      error: { message: "no call was made", code: "tool_use_failed", status_code: 400 },
    }),
    { outcome: "failed", failure: { class: "bad_request", retryable: false, retryAfterMs: null } },
  ],
  [
    "an error with status 200",
    reply({ body: { error: { code: 502, message: "the provider is away" } } }),
    { outcome: "failed", failure: { class: "server_error", retryable: true, retryAfterMs: null } },
  ],
  [
    "a success with retry-after",
    {
      ...whole({ content: "4" }),
      ...reply({ ...whole({ content: "4" }).response, headers: { "retry-after": "10" } }),
    },
    { outcome: "answered", answer: "4" },
  ],
  [
    "a rate limit with its delay in the body",
    reply({
      status: 429,
      body: { error: { code: 429, message: "quota", details: [{ retryDelay: "48s" }] } },
    }),
    { failure: { class: "rate_limited", retryable: true, retryAfterMs: 48_000 } },
  ],
  [
    "a spent budget",
    reply({ status: 429, body: { error: { code: "insufficient_quota", message: "quota" } } }),
    { failure: { class: "rate_limited", retryable: false, retryAfterMs: null } },
  ],
  [
    "an invalid key with status 400",
    reply({ status: 400, body: { error: { message: "API key not valid. Pass a valid one." } } }),
    { failure: { class: "unauthorized", retryable: false, retryAfterMs: null } },
  ],
  ...(
    [
      ["batches", "p", "a batch"],
      ["count_tokens", "p", "a count of tokens"],
      ["models", "p", "a list of models"],
      ["native-chat", "ollama", "an answer of Ollama's own interface"],
      ["converse", "bedrock", "an answer of Bedrock's Converse"],
      ["v2", "cohere", "an answer of Cohere's own interface"],
      ["embeddings", "cohere", "embeddings"],
      ["rerank", "p", 'a reply of "rerank"'],
    ] as const
  ).map(([api, provider, what]): (typeof cases)[number] => [
    `a reply that is not an answer: ${api}`,
    { ...reply({ body: {} }), api, provider },
    {
      outcome: "unread",
      answer: null,
      note: expect.stringMatching(new RegExp(`^not an answer of a supported interface: ${what}`)),
    },
  ]),
  [
    "an error of another interface",
    { ...reply({ status: 401, body: { message: "invalid api token" } }), api: "count_tokens" },
    { failure: { class: "unauthorized", retryable: false, retryAfterMs: null } },
  ],
  [
    "an interface that is recognised by its path",
    {
      ...whole({ content: "Oslo" }),
      api: "x",
      request: { method: "POST", path: "/v1/chat/completions?a=b", body: null },
    },
    { outcome: "answered", answer: "Oslo" },
  ],
  [
    "a stream that breaks off within a call",
    events(
      delta({ content: "Look." }),
      delta({ tool_calls: [{ index: 0, function: { name: "weather", arguments: '{"ci' } }] }),
    ),
    {
      outcome: "failed",
      answer: "Look.",
      calls: [{ name: "weather", arguments: '{"ci' }],
    },
  ],
  [
    "a stream that breaks off within thoughts",
    events(delta({ reasoning_content: "2 + " })),
    { outcome: "failed", answer: null, thoughts: "2 + " },
  ],
  [
    "a rate limit with its delay in milliseconds",
    reply({
      status: 429,
      headers: { "retry-after": "2", "retry-after-ms": "1250" },
      body: { error: { message: "slow down" } },
    }),
    { failure: { class: "rate_limited", retryable: true, retryAfterMs: 1_250 } },
  ],
];

describe("a reply of a provider", () => {
  it.each(cases)("%s", async (_, exchange, read) => {
    expect(await readExchange(exchange)).toMatchObject(read);
  });
});

const shared = join(import.meta.dirname, "../../../shared/data");
const exchangesFile = join(shared, "provider-exchanges/exchanges.jsonl");
const fixturesFile = join(shared, "api-fixtures/recorded.jsonl");
const linesOf = (file: string): unknown[] =>
  existsSync(file) ? jsonLines(readFileSync(file, "utf8")) : [];

/** A text's length and hash; the recorded texts themselves are not ours to publish. */
const short = (text: string | null) => text && `${text.length} ${hash32(text).toString(16)}`;

/** Outcome, answer, thoughts, calls, tokens, stop and failure of a reading. */
const gist = ({ outcome, answer, thoughts, calls, usage, stop, failure, note }: ReadExchange) => [
  outcome,
  short(answer),
  short(thoughts),
  calls.map((call) => `${call.name} ${short(canonicalJson(call.arguments as Json))}`),
  [usage.input, usage.output, usage.reasoning, usage.cached],
  stop,
  failure &&
    `${failure.class}${failure.retryable ? ", retried" : ""}${failure.retryAfterMs === null ? "" : ` after ${failure.retryAfterMs}`}`,
  ...(note === null ? [] : [note]),
];

describe.skipIf(!existsSync(exchangesFile))(
  "recorded replies (left out where ../shared is missing)",
  () => {
    const stated = linesOf(join(import.meta.dirname, "readings.jsonl")) as {
      case: string;
      read: unknown[];
    }[];
    const recorded = new Map(
      [
        ...linesOf(exchangesFile).map((one) => exchangeSchema.parse(one)),
        // Names occur twice.
        ...linesOf(fixturesFile).map((one, i) => {
          const exchange = fixtureExchange(fixtureSchema.parse(one));
          return { ...exchange, case: `${i} ${exchange.case}` };
        }),
      ].map((exchange) => [exchange.case, exchange]),
    );
    it("are all in readings.jsonl", () => {
      expect(stated.map((one) => one.case).toSorted()).toEqual([...recorded.keys()].toSorted());
    });
    it.each(stated)("$case", async ({ case: name, read }) => {
      expect(gist(await readExchange(recorded.get(name)!))).toEqual(read);
    });
  },
);
