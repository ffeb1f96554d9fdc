import type { Answer } from "../contracts/answer.ts";
import type { Metric } from "../contracts/metric.ts";
import { percentile } from "../stats/percentile.ts";

/** What performance needs to know of one call. */
export type CallFacts = Pick<
  Answer,
  "latencyMs" | "firstByteMs" | "inputTokens" | "outputTokens" | "attempts"
> & { errorClass: string | null };

/** Prices in USD per 1,000 tokens. */
export type Prices = { inputPer1k: number; outputPer1k: number } | null;

/** A figure and how many calls it rests on. */
export interface PerformanceFigure {
  value: number | null;
  n: number;
}

const latency = (id: string, label: string, definition: string): Metric => ({
  ...{ id, label, definition },
  ...{ unit: "ms", better: "lower", format: "ms" },
});
const share = (
  id: string,
  label: string,
  better: Metric["better"],
  definition: string,
): Metric => ({
  ...{ id, label, better, definition },
  ...{ unit: "ratio", format: "percent" },
});
const amount = (
  id: string,
  label: string,
  better: Metric["better"],
  definition: string,
): Metric => ({
  ...{ id, label, better, definition },
  ...{ unit: "count", format: "count" },
});

const fromSending = "Latency runs from sending to the last byte of the attempt that succeeded.";

/**
 * The performance metrics every suite reports.
 * Source: specification of the extraction suite, section 10.
 */
export const performanceMetrics: readonly Metric[] = [
  latency(
    "latencyP50",
    "Latency p50",
    `Half of the answers came at least this fast. ${fromSending}`,
  ),
  latency("latencyP95", "Latency p95", `95 of 100 answers came at least this fast. ${fromSending}`),
  latency("latencyP99", "Latency p99", `99 of 100 answers came at least this fast. ${fromSending}`),
  latency("latencyMean", "Mean latency", `Mean over the answers. ${fromSending}`),
  latency("latencyMin", "Fastest answer", `The shortest latency. ${fromSending}`),
  latency("latencyMax", "Slowest answer", `The longest latency. ${fromSending}`),
  latency(
    "firstByteP50",
    "Time to first byte p50",
    "Half of the answers began at least this soon.",
  ),
  share("successRate", "Success rate", "higher", "Answered requests / requests, retries allowed."),
  share("timeoutRate", "Timeout rate", "lower", "Requests that timed out for good / requests."),
  share("retryRate", "Retry rate", "lower", "Requests sent more than once / requests sent."),
  share(
    "reliability",
    "Reliability",
    "higher",
    "(answered at the first try + 0.5 · answered after a retry) / requests sent.",
  ),
  amount("requestsPerSecond", "Requests per second", "higher", "Requests / wall time of the run."),
  amount("samplesPerMinute", "Answers per minute", "higher", "Answers / wall time of the run."),
  amount("tokensPerSecond", "Tokens per second", "higher", "Output tokens / wall time of the run."),
  {
    ...{ id: "inputTokens", label: "Input tokens", unit: "tokens", better: "lower" },
    ...{ format: "count", definition: "Sum of the input tokens that the endpoint reported." },
  },
  {
    ...{ id: "outputTokens", label: "Output tokens", unit: "tokens", better: "lower" },
    ...{ format: "count", definition: "Sum of the output tokens that the endpoint reported." },
  },
  {
    ...{ id: "costUsd", label: "Cost", unit: "usd", better: "lower", format: "usd" },
    definition: "Input tokens · input price / 1,000 + output tokens · output price / 1,000.",
  },
];

/**
 * The performance figures of `calls`, by metric id. Null where nothing was measured: no latency or
 * token count given, no wall time, no prices, nothing sent. Sorting makes it O(n log n).
 * Source: specification of the extraction suite, section 10.
 * @example performanceFigures([call], null, null)["latencyP95"]?.value // call.latencyMs
 */
export function performanceFigures(
  calls: readonly CallFacts[],
  wallMs: number | null,
  prices: Prices,
): Record<string, PerformanceFigure> {
  return {
    ...latencyFigures(known(calls, "latencyMs")),
    firstByteP50: figure(known(calls, "firstByteMs"), (values) => percentile(values, 0.5)),
    ...rateFigures(calls),
    ...throughputFigures(calls, wallMs),
    inputTokens: figure(known(calls, "inputTokens"), total),
    outputTokens: figure(known(calls, "outputTokens"), total),
    costUsd: costFigure(calls, prices),
  };
}

function latencyFigures(sorted: Float64Array): Record<string, PerformanceFigure> {
  return {
    latencyP50: figure(sorted, (values) => percentile(values, 0.5)),
    latencyP95: figure(sorted, (values) => percentile(values, 0.95)),
    latencyP99: figure(sorted, (values) => percentile(values, 0.99)),
    latencyMean: figure(sorted, (values) => total(values) / values.length),
    latencyMin: figure(sorted, (values) => percentile(values, 0)),
    latencyMax: figure(sorted, (values) => percentile(values, 1)),
  };
}

function rateFigures(calls: readonly CallFacts[]): Record<string, PerformanceFigure> {
  const sent = calls.filter((call) => call.attempts > 0);
  const answered = sent.filter((call) => call.errorClass === null);
  const atOnce = answered.filter((call) => call.attempts === 1).length;
  return {
    successRate: shareOf(calls, (call) => call.errorClass === null),
    timeoutRate: shareOf(calls, (call) => call.errorClass === "timeout"),
    retryRate: shareOf(sent, (call) => call.attempts > 1),
    reliability: {
      value: sent.length === 0 ? null : (atOnce + answered.length) / 2 / sent.length,
      n: sent.length,
    },
  };
}

function throughputFigures(
  calls: readonly CallFacts[],
  wallMs: number | null,
): Record<string, PerformanceFigure> {
  const per = (count: number, unitMs: number, n: number) => ({
    value: wallMs === null || wallMs <= 0 || n === 0 ? null : (count * unitMs) / wallMs,
    n,
  });
  const answers = calls.filter((call) => call.errorClass === null).length;
  const tokens = known(calls, "outputTokens");
  return {
    requestsPerSecond: per(calls.length, 1000, calls.length),
    samplesPerMinute: per(answers, 60_000, calls.length),
    tokensPerSecond: per(total(tokens), 1000, tokens.length),
  };
}

function costFigure(calls: readonly CallFacts[], prices: Prices): PerformanceFigure {
  const priced = calls.filter((call) => call.inputTokens !== null && call.outputTokens !== null);
  if (prices === null || priced.length === 0) return { value: null, n: 0 };
  const input = total(known(priced, "inputTokens"));
  const output = total(known(priced, "outputTokens"));
  const value = (input * prices.inputPer1k + output * prices.outputPer1k) / 1000;
  return { value, n: priced.length };
}

function known(calls: readonly CallFacts[], key: keyof CallFacts): Float64Array {
  return Float64Array.from(
    calls.map((call) => call[key]).filter((v) => typeof v === "number"),
  ).sort();
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function figure(
  values: Float64Array,
  summary: (values: Float64Array) => number | null,
): PerformanceFigure {
  return { value: values.length === 0 ? null : summary(values), n: values.length };
}

function shareOf(
  calls: readonly CallFacts[],
  holds: (call: CallFacts) => boolean,
): PerformanceFigure {
  const value = calls.length === 0 ? null : calls.filter(holds).length / calls.length;
  return { value, n: calls.length };
}
