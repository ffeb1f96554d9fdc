import type { Metric } from "../contracts/metric.ts";
import type { CallTotals } from "./call-totals.ts";
import type { Duration, Durations } from "./durations.ts";

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
const ratio = (
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

/** What is timed of each answered request. */
const timed = [
  {
    ...{ id: "latency", label: "Latency" },
    what: "Latency runs from sending to the last byte of the attempt that succeeded.",
  },
  {
    ...{ id: "firstByte", label: "Time to first byte" },
    what: "It runs from sending to the response headers of the attempt that succeeded.",
  },
  {
    ...{ id: "generation", label: "Generation time" },
    what: "Latency − time to first byte: what came after the response had begun.",
  },
] as const;

const durationMetrics: readonly Metric[] = timed.flatMap(({ id, label, what }) => [
  latency(`${id}P50`, `${label} p50`, `The median over answered requests. ${what}`),
  latency(`${id}P95`, `${label} p95`, `95 of 100 answers took at most this long. ${what}`),
  latency(`${id}P99`, `${label} p99`, `99 of 100 answers took at most this long. ${what}`),
  latency(`${id}Mean`, `${label}, mean`, `Mean over answered requests. ${what}`),
  latency(`${id}Min`, `${label}, shortest`, `The shortest. ${what}`),
  latency(`${id}Max`, `${label}, longest`, `The longest. ${what}`),
]);

/**
 * The performance metrics every suite reports.
 * Source: specification of the extraction suite, section 10.
 */
export const performanceMetrics: readonly Metric[] = [
  ...durationMetrics,
  ratio("successRate", "Success rate", "higher", "Answered requests / requests, retries allowed."),
  ratio("timeoutRate", "Timeout rate", "lower", "Requests that timed out for good / requests."),
  ratio(
    "retryRate",
    "Retry rate",
    "lower",
    "Requests sent again after a transient failure / requests sent.",
  ),
  ratio(
    "reliability",
    "Reliability",
    "higher",
    "(answered without a retry + 0.5 · answered after a retry) / requests sent.",
  ),
  amount("requestsPerSecond", "Requests per second", "higher", "Requests / wall time of the run."),
  amount("samplesPerMinute", "Answers per minute", "higher", "Answers / wall time of the run."),
  amount("tokensPerSecond", "Tokens per second", "higher", "Output tokens / wall time of the run."),
  {
    ...{ id: "inputTokens", label: "Input tokens", unit: "tokens", better: "lower" },
    ...{
      format: "count",
      definition: "Input tokens that the endpoint reported, of answered requests.",
    },
  },
  {
    ...{ id: "outputTokens", label: "Output tokens", unit: "tokens", better: "lower" },
    ...{
      format: "count",
      definition: "Output tokens that the endpoint reported, of answered requests.",
    },
  },
  {
    ...{ id: "costUsd", label: "Cost", unit: "usd", better: "lower", format: "usd" },
    definition: "Input tokens · input price / 1,000 + output tokens · output price / 1,000.",
  },
  {
    ...{ id: "costPer1kUsd", label: "Cost per 1,000 answers", unit: "usd", better: "lower" },
    ...{ format: "usd", definition: "Cost / answers whose tokens are known · 1,000." },
  },
];

/**
 * The performance figures of a run's calls, by metric id. Null where nothing was measured: no latency
 * or token count given, no wall time, no prices, nothing sent.
 * Source: specification of the extraction suite, section 10.
 * @example performanceFigures(totals, durations, null, null)["latencyP95"]?.value
 */
export function performanceFigures(
  totals: CallTotals,
  durations: Durations,
  wallMs: number | null,
  prices: Prices,
): Record<string, PerformanceFigure> {
  return {
    ...durationFigures("latency", durations.latency),
    ...durationFigures("firstByte", durations.firstByte),
    ...durationFigures("generation", durations.generation),
    ...rateFigures(totals),
    ...throughputFigures(totals, wallMs),
    inputTokens: { value: known(totals.input), n: totals.input.n },
    outputTokens: { value: known(totals.output), n: totals.output.n },
    ...costFigures(totals, prices),
  };
}

function durationFigures(name: string, spread: Duration): Record<string, PerformanceFigure> {
  const { n } = spread;
  return {
    [`${name}P50`]: { value: spread.percentile(0.5), n },
    [`${name}P95`]: { value: spread.percentile(0.95), n },
    [`${name}P99`]: { value: spread.percentile(0.99), n },
    [`${name}Mean`]: { value: spread.mean(), n },
    [`${name}Min`]: { value: spread.percentile(0), n },
    [`${name}Max`]: { value: spread.percentile(1), n },
  };
}

function rateFigures(totals: CallTotals): Record<string, PerformanceFigure> {
  const { requests, answered, timeouts, sent } = totals;
  const halves = totals.answeredAtOnce + totals.answeredSent;
  return {
    successRate: share(answered, requests),
    timeoutRate: share(timeouts, requests),
    retryRate: share(totals.retried, sent),
    reliability: share(halves / 2, sent),
  };
}

function throughputFigures(
  { requests, answered, output }: CallTotals,
  wallMs: number | null,
): Record<string, PerformanceFigure> {
  const per = (count: number, unitMs: number, n: number) => ({
    value: wallMs === null || wallMs <= 0 || n === 0 ? null : (count * unitMs) / wallMs,
    n,
  });
  return {
    requestsPerSecond: per(requests, 1000, requests),
    samplesPerMinute: per(answered, 60_000, requests),
    tokensPerSecond: per(output.sum, 1000, output.n),
  };
}

function costFigures({ metered }: CallTotals, prices: Prices): Record<string, PerformanceFigure> {
  const { n, input, output } = metered;
  if (prices === null || n === 0) {
    return { costUsd: { value: null, n: 0 }, costPer1kUsd: { value: null, n: 0 } };
  }
  const cost = (input * prices.inputPer1k + output * prices.outputPer1k) / 1000;
  return { costUsd: { value: cost, n }, costPer1kUsd: { value: (cost * 1000) / n, n } };
}

function known({ n, sum }: { n: number; sum: number }): number | null {
  return n === 0 ? null : sum;
}

function share(part: number, whole: number): PerformanceFigure {
  return { value: whole === 0 ? null : part / whole, n: whole };
}
