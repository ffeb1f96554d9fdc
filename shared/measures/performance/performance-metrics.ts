import type { Metric } from "../../contracts/metric.ts";
import { metricsOf } from "../metrics-of.ts";

const latency = metricsOf("ms", "lower", "ms");
const goodRate = metricsOf("ratio", "higher", "percent");
const badRate = metricsOf("ratio", "lower", "percent");
const speed = metricsOf("count", "higher", "count");
const tokens = metricsOf("tokens", "lower", "count");
const cost = metricsOf("usd", "lower", "usd");

/** The times measured for each answered request. */
const timed = [
  {
    id: "latency",
    label: "Latency",
    what: "Latency runs from sending to the last byte of the attempt that succeeded.",
  },
  {
    id: "firstByte",
    label: "Time to first byte",
    what: "It runs from sending to the first text or tool call of a streamed answer, or to the headers of a reply that is not streamed.",
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
  goodRate("successRate", "Success rate", "Answered requests / requests, retries allowed."),
  badRate("timeoutRate", "Timeout rate", "Requests that finally timed out / requests."),
  badRate(
    "retryRate",
    "Retry rate",
    "Requests sent again after a transient failure, such as a timeout or a 429 / requests sent. A fallback to another structured-output mode after the endpoint refuses one is not a retry: it happens once, and the run has a note on it.",
  ),
  goodRate(
    "reliability",
    "Reliability",
    "(answered without a retry + 0.5 · answered after a retry) / requests sent.",
  ),
  speed("requestsPerSecond", "Requests per second", "Requests / wall time of the run."),
  speed("samplesPerMinute", "Answers per minute", "Answers / wall time of the run."),
  speed("tokensPerSecond", "Tokens per second", "Output tokens / wall time of the run."),
  tokens(
    "inputTokens",
    "Input tokens",
    "Input tokens that the endpoint reported, of answered requests.",
  ),
  tokens(
    "outputTokens",
    "Output tokens",
    "Output tokens that the endpoint reported, of answered requests.",
  ),
  tokens("inputTokensMean", "Input tokens per answer", "Mean over answered requests."),
  tokens(
    "outputTokensMean",
    "Output tokens per answer",
    "Mean over answered requests, thoughts included.",
  ),
  tokens(
    "cachedTokens",
    "Cached input tokens",
    "Input tokens that were read from the provider's cache, over answered requests whose endpoint counts them.",
  ),
  badRate(
    "thinkingShare",
    "Share of thoughts",
    "Reasoning tokens / output tokens of answered requests, where the endpoint counts them.",
  ),
  badRate(
    "thoughtsRate",
    "Answers with thoughts",
    "Answers with thoughts in their text or fields, or with reasoning tokens counted by the endpoint / answered requests. Thoughts are stored and never scored.",
  ),
  tokens(
    "reasoningTokens",
    "Reasoning tokens",
    "Output tokens of thoughts, over answered requests whose endpoint counts them.",
  ),
  cost(
    "costUsd",
    "Cost",
    "(Input tokens · input price + output tokens · output price) / 1,000,000: prices are per million tokens. Tokens read from a cache and those of thoughts have their own prices, if such were given.",
  ),
  cost("costPer1kUsd", "Cost per 1,000 answers", "Cost / answers whose tokens are known · 1,000."),
];
