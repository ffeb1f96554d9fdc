import type { Metric } from "../../contracts/metric.ts";
import { metricsOf } from "../metrics-of.ts";
import { figuresOf } from "./call-figures.ts";
import type { Quantity } from "./distributions.ts";

const latency = metricsOf("ms", "lower", "ms");
const goodRate = metricsOf("ratio", "higher", "percent");
const badRate = metricsOf("ratio", "lower", "percent");
const speed = metricsOf("count", "higher", "count");
const tokens = metricsOf("tokens", "lower", "count");
const cost = metricsOf("usd", "lower", "usd");

interface QuantityWords {
  id: Quantity;
  label: string;
  what: string;
  metric: ReturnType<typeof metricsOf>;
}

/** Quantities measured for each answered request. */
const measured: readonly QuantityWords[] = [
  {
    id: "latency",
    label: "Latency",
    what: "Latency runs from sending to the last byte of the attempt that succeeded.",
    metric: latency,
  },
  {
    id: "firstToken",
    label: "Time to first token",
    what: "It runs from sending to the first part of a stream, a thought or of the answer. Answers without a stream have none.",
    metric: latency,
  },
  {
    id: "firstByte",
    label: "Time to first answer token",
    what: "It runs from sending to the first text or tool call of a streamed answer, or to the headers of a reply that is not streamed.",
    metric: latency,
  },
  {
    id: "generation",
    label: "Generation time",
    what: "Latency − time to first answer token: the duration of the answer.",
    metric: latency,
  },
  {
    id: "network",
    label: "Network time",
    what: "Latency without the time that the endpoint says it worked (headers openai-processing-ms, x-envoy-upstream-service-time and x-metrics-e2e-ms, or Groq's usage), over the answers in which it says so.",
    metric: latency,
  },
  {
    id: "outputSpeed",
    label: "Output speed in tokens/s",
    what: "Tokens a second after the first token: (output tokens − 1) / (latency − time to first token), without reasoning tokens that came before it unseen. Streams of less than 10 ms are left out.",
    metric: speed,
  },
  {
    id: "inputTokens",
    label: "Input tokens per answer",
    what: "As the endpoint reports them.",
    metric: tokens,
  },
  {
    id: "outputTokens",
    label: "Output tokens per answer",
    what: "As the endpoint reports them, thoughts included.",
    metric: tokens,
  },
];

/** Descriptions of figures by the suffix of the metric's id. */
const figureWords = {
  P5: ["p5", "95 of 100 answers were at least this fast."],
  P50: ["p50", "The median over answered requests."],
  P95: ["p95", "95 of 100 answers took at most this long."],
  P99: ["p99", "99 of 100 answers took at most this long."],
  Mean: ["mean", "Mean over answered requests."],
  Min: ["shortest", "The shortest."],
  Max: ["longest", "The longest."],
} as const;

const quantityMetrics: readonly Metric[] = measured.flatMap(({ id, label, what, metric }) =>
  figuresOf[id].map((figure) => {
    const [word, meaning] = figureWords[figure];
    const separator = figure.startsWith("P") ? " " : ", ";
    return metric(`${id}${figure}`, `${label}${separator}${word}`, `${meaning} ${what}`);
  }),
);

/**
 * The performance metrics every suite reports.
 * Source: docs/spec/extraction.md, section 10.
 */
export const performanceMetrics: readonly Metric[] = [
  ...quantityMetrics,
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
  tokens("inputTokensMean", "Input tokens per answer, mean", "Mean over answered requests."),
  tokens(
    "outputTokensMean",
    "Output tokens per answer, mean",
    "Mean over answered requests, thoughts included.",
  ),
  tokens(
    "cachedTokens",
    "Cached input tokens",
    "Input tokens that were read from the provider's cache, over answered requests whose endpoint counts them.",
  ),
  tokens(
    "audioTokens",
    "Audio tokens",
    "Input tokens of recordings, over answered requests in which the endpoint counts any.",
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
    "(Input tokens · input price + output tokens · output price) / 1,000,000: prices are per million tokens. Tokens read from a cache, of recordings and of thoughts have their own prices, if such were given.",
  ),
  cost("costPer1kUsd", "Cost per 1,000 answers", "Cost / answers whose tokens are known · 1,000."),
];
