import type { Metric } from "../../contracts/metric.ts";

const elsewhere = "Never part of the model's own latency, tokens and cost.";

/**
 * What judging took, in every suite that is judged.
 * Source: docs/spec/memory.md, judges.
 */
export const judgingMetrics: readonly Metric[] = [
  {
    id: "judgeRequests",
    label: "Judge calls",
    unit: "count",
    better: "lower",

    format: "count",
    definition: `HTTP calls to judges, retries and repairs among them. ${elsewhere}`,
  },
  {
    id: "judgeCachedRate",
    label: "Judgments kept from before",
    unit: "ratio",
    better: "higher",
    format: "percent",
    definition: "Judgments taken from the cache, without a call / judgments.",
  },
  {
    id: "judgeInputTokens",
    label: "Judge input tokens",
    unit: "tokens",
    better: "lower",
    format: "count",
    definition: `Input tokens of judge calls. ${elsewhere}`,
  },
  {
    id: "judgeOutputTokens",
    label: "Judge output tokens",
    unit: "tokens",
    better: "lower",
    format: "count",
    definition: `Output tokens of judge calls. ${elsewhere}`,
  },
  {
    id: "judgeCostUsd",
    label: "Judge cost",
    unit: "usd",
    better: "lower",
    format: "usd",
    definition: `Cost of judge calls at the deployment's prices. ${elsewhere}`,
  },
];
