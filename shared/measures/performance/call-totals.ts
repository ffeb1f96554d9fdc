import type { Answer, Call } from "../../contracts/answer.ts";
import { hasThoughts } from "../thoughts/without-thoughts.ts";
import type { CallNumbers } from "./distributions.ts";

/** Fields of a call that performance figures need. */
export type CallFacts = Pick<
  Call,
  | (
      | "latencyMs"
      | "firstByteMs"
      | "inputTokens"
      | "outputTokens"
      | "attempts"
      | "retries"
      | "error"
    )
  | (
      | "hasThoughts"
      | "reasoningTokens"
      | "cachedTokens"
      | "audioTokens"
      | "firstTokenMs"
      | "networkMs"
    )
>;

/**
 * Shares of requests by metric id: the contribution of a call to each, 0–1; null if it does not count. Retries are
 * known only for requests that this service sent.
 * Source: docs/spec/extraction.md, section 10.
 */
const rates = {
  successRate: ({ error }) => Number(error === null),
  timeoutRate: ({ error }) => Number(error?.class === "timeout"),
  thoughtsRate: ({ error, hasThoughts = false }) => (error === null ? Number(hasThoughts) : null),
  retryRate: ({ attempts, retries }) => (attempts > 0 ? Number(retries > 0) : null),
  reliability: ({ attempts, retries, error }) =>
    attempts > 0 ? Number(error === null) * (retries > 0 ? 0.5 : 1) : null,
} as const satisfies Record<string, (call: CallFacts) => number | null>;

export type RequestRate = keyof typeof rates;
export const requestRates = Object.keys(rates) as readonly RequestRate[];

/** A call's contribution to each share of requests, in order. */
export const ratesOf = (call: CallFacts): (number | null)[] =>
  requestRates.map((name) => rates[name](call));

/**
 * An answer without its content and without judgments, but with whether the model thought.
 * @example "output" in callOf(emptyAnswer) // false
 */
export function callOf(answer: Answer): Call {
  const { output: _, thoughts: __, refusal: ___, toolCalls: ____, ...rest } = answer;
  const { hybrid: _____, stages: ______, judgments: _______, turns: ________, ...call } = rest;
  return hasThoughts(answer) ? { ...call, hasThoughts: true } : call;
}

/** Counts of calls and sums of tokens. */
export type CallTotals = ReturnType<typeof noCalls>;

/**
 * Totals of no calls.
 * @example noCalls().requests // 0
 */
export function noCalls() {
  return {
    requests: 0,
    rates: Object.fromEntries(requestRates.map((name) => [name, { n: 0, sum: 0 }])) as Record<
      RequestRate,
      { n: number; sum: number }
    >,
    input: { n: 0, sum: 0 },
    output: { n: 0, sum: 0 },
    /** Reasoning tokens of the answered calls whose endpoint counts them. */
    reasoning: { n: 0, sum: 0 },
    /** Output tokens of the same calls. */
    thinkers: { n: 0, sum: 0 },
    /** Input tokens read from a cache, of the answered calls whose endpoint counts them. */
    cached: { n: 0, sum: 0 },
    /** Input tokens of recordings, of the answered calls that have any. */
    audio: { n: 0, sum: 0 },
    /** Answered calls with both token counts. */
    metered: { n: 0, input: 0, output: 0, cached: 0, audio: 0, reasoning: 0 },
  };
}

/** Minimum duration of a stream, ms: shorter answers arrived at once, or through a buffering proxy. */
const SHORTEST_STREAM_MS = 10;

/**
 * Times and tokens of a call; all null or missing for a failed call, whatever its answer reports.
 * Source: docs/spec/extraction.md, section 10.
 * @example numbersOf(call) // { latencyMs: 500, firstByteMs: 90, inputTokens: 80, outputTokens: 20 }
 */
export function numbersOf(call: CallFacts): CallNumbers {
  const { error, latencyMs, firstByteMs, firstTokenMs, networkMs } = call;
  const { cachedTokens, audioTokens, reasoningTokens } = call;
  if (error !== null) return { latencyMs: null, firstByteMs: null };
  const speed = speedOf(call);
  return {
    latencyMs,
    firstByteMs,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(networkMs !== undefined && { networkMs }),
    ...(speed !== null && { tokensPerSecond: speed }),
    ...(call.inputTokens !== null && { inputTokens: call.inputTokens }),
    ...(call.outputTokens !== null && { outputTokens: call.outputTokens }),
    ...(cachedTokens && { cachedTokens }),
    ...(audioTokens && { audioTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  };
}

/**
 * Tokens per second after the first token of a stream, without thoughts that were not streamed, which precede it.
 */
function speedOf({ latencyMs, firstTokenMs, firstByteMs, ...tokens }: CallFacts): number | null {
  const { outputTokens, reasoningTokens } = tokens;
  if (latencyMs === null || firstTokenMs === undefined || outputTokens === null) return null;
  const areThoughtsSent = firstByteMs === null || firstTokenMs < firstByteMs;
  const sent = outputTokens - (areThoughtsSent ? 0 : (reasoningTokens ?? 0));
  const streamedMs = latencyMs - firstTokenMs;
  return streamedMs < SHORTEST_STREAM_MS || sent < 2 ? null : (1_000 * (sent - 1)) / streamedMs;
}

/**
 * Counts one call; tokens only if it was answered.
 * Source: docs/spec/extraction.md, section 10.
 * @example countCall(totals, call)
 */
export function countCall(totals: CallTotals, call: CallFacts): void {
  totals.requests++;
  for (const name of requestRates) addKnown(totals.rates[name], rates[name](call));
  if (call.error === null) countTokens(totals, call);
}

function countTokens(totals: CallTotals, call: CallFacts): void {
  const { inputTokens, outputTokens, reasoningTokens, cachedTokens, audioTokens } = call;
  addKnown(totals.reasoning, reasoningTokens);
  if (reasoningTokens != null) addKnown(totals.thinkers, outputTokens);
  addKnown(totals.cached, cachedTokens);
  addKnown(totals.audio, audioTokens);
  addKnown(totals.input, inputTokens);
  addKnown(totals.output, outputTokens);
  if (inputTokens === null || outputTokens === null) return;
  totals.metered.n++;
  totals.metered.input += inputTokens;
  totals.metered.output += outputTokens;
  totals.metered.cached += cachedTokens ?? 0;
  totals.metered.audio += audioTokens ?? 0;
  totals.metered.reasoning += reasoningTokens ?? 0;
}

function addKnown(total: { n: number; sum: number }, value: number | null | undefined): void {
  if (value == null) return;
  total.n++;
  total.sum += value;
}
