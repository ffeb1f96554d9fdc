import type { Metric } from "../../contracts/metric.ts";

const latency = (id: string, label: string, definition: string): Metric => ({
  id,
  label,
  definition,
  unit: "ms",
  better: "lower",
  format: "ms",
});
const ratio = (
  id: string,
  label: string,
  better: Metric["better"],
  definition: string,
): Metric => ({
  id,
  label,
  better,
  definition,
  unit: "ratio",
  format: "percent",
});
const amount = (
  id: string,
  label: string,
  better: Metric["better"],
  definition: string,
): Metric => ({
  id,
  label,
  better,
  definition,
  unit: "count",
  format: "count",
});

/** What is timed of each answered request. */
const timed = [
  {
    id: "latency",
    label: "Latency",
    what: "Latency runs from sending to the last byte of the attempt that succeeded.",
  },
  {
    id: "firstByte",
    label: "Time to first byte",
    what: "It runs from sending to the response headers of the attempt that succeeded.",
  },
  {
    id: "generation",
    label: "Generation time",
    what: "Latency − time to first byte: the duration of the response.",
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
 * Source: docs/spec/extraction.md, section 10.
 */
export const performanceMetrics: readonly Metric[] = [
  ...durationMetrics,
  ratio("successRate", "Success rate", "higher", "Answered requests / requests, retries allowed."),
  ratio("timeoutRate", "Timeout rate", "lower", "Requests that timed out for good / requests."),
  ratio(
    "retryRate",
    "Retry rate",
    "lower",
    "Requests sent again after a transient failure, such as a timeout or a 429 / requests sent. A fallback to another structured-output mode after the endpoint refuses one is not a retry: it happens once, and the run has a note on it.",
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
    id: "inputTokens",
    label: "Input tokens",
    unit: "tokens",
    better: "lower",

    format: "count",
    definition: "Input tokens that the endpoint reported, of answered requests.",
  },
  {
    id: "outputTokens",
    label: "Output tokens",
    unit: "tokens",
    better: "lower",

    format: "count",
    definition: "Output tokens that the endpoint reported, of answered requests.",
  },
  ratio(
    "thoughtsRate",
    "Answers with thoughts",
    "lower",
    "Answers with thoughts in their text or fields, or with reasoning tokens counted by the endpoint / answered requests. Thoughts are stored and never scored.",
  ),
  {
    id: "reasoningTokens",
    label: "Reasoning tokens",
    unit: "tokens",
    better: "lower",

    format: "count",
    definition: "Output tokens of thoughts, over answered requests whose endpoint counts them.",
  },
  {
    id: "costUsd",
    label: "Cost",
    unit: "usd",
    better: "lower",
    format: "usd",
    definition:
      "(Input tokens · input price + output tokens · output price) / 1,000,000: prices are per million tokens.",
  },
  {
    id: "costPer1kUsd",
    label: "Cost per 1,000 answers",
    unit: "usd",
    better: "lower",
    format: "usd",
    definition: "Cost / answers whose tokens are known · 1,000.",
  },
];
