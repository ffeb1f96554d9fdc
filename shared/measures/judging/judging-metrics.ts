import type { Metric } from "../../contracts/metric.ts";
import { metricsOf } from "../metrics-of.ts";

const amount = metricsOf("count", "lower", "count");
const rate = metricsOf("ratio", "higher", "percent");
const tokens = metricsOf("tokens", "lower", "count");
const cost = metricsOf("usd", "lower", "usd");

const elsewhere = "Never part of the model's own latency, tokens and cost.";

/**
 * Metrics of judging, in every judged suite.
 * Source: docs/spec/memory.md, judges.
 */
export const judgingMetrics: readonly Metric[] = [
  amount(
    "judgeRequests",
    "Judge calls",
    `HTTP calls to judges, retries and repairs among them. ${elsewhere}`,
  ),
  amount(
    "judgeReplacements",
    "Replaced judgments",
    "Judgments by the fallback because the provider of the metric's judge no longer has that model. A run with any is not ranked.",
  ),
  rate(
    "judgeCachedRate",
    "Cached judgments",
    "Judgments taken from the cache, without a call / judgments.",
  ),
  tokens("judgeInputTokens", "Judge input tokens", `Input tokens of judge calls. ${elsewhere}`),
  tokens("judgeOutputTokens", "Judge output tokens", `Output tokens of judge calls. ${elsewhere}`),
  cost(
    "judgeCostUsd",
    "Judge cost",
    `Cost of judge calls at the deployment's prices. ${elsewhere}`,
  ),
];
