import type { Metric } from "../../contracts/metric.ts";
import { judgingMetrics } from "../../measures/judging/judging-metrics.ts";
import { metricsOf, viewsOf } from "../../measures/metrics-of.ts";
import { passMetrics } from "../../measures/passes/pass-metrics.ts";
import { performanceMetrics } from "../../measures/performance/performance-metrics.ts";

const amount = metricsOf("count", "lower", "count");
const rate = metricsOf("ratio", "lower", "percent");

/** The metric that ranks. */
export const rubricScore: Metric = {
  id: "rubricScore",
  label: "Rubric score",
  unit: "ratio",
  better: "higher",
  format: "percent",
  definition:
    "Mean over samples of Σ weight · value / Σ weight over the criteria that apply to the sample, each grade converted to a value by (grade − worst) / (best − worst). An empty answer and a failed request score 0. If a criterion with a weight is unjudged, the sample is unscored.",
};

/** The metrics common to all rubrics, besides the criteria. */
export const fixedMetrics: readonly Metric[] = [
  rubricScore,
  ...judgingMetrics,
  rate(
    "unjudgedRate",
    "Unjudged",
    "Missing judge values / Σ over answers of the criteria that apply to them.",
  ),
  amount(
    "unsupportedEvidence",
    "Invented quotations",
    "Quotations of judges that the answer does not contain: dropped, and counted only here.",
  ),
  ...passMetrics,
  ...performanceMetrics,
];

/**
 * The suite's tables for readers with different purposes.
 * @example rubricViews[0]?.metrics[0] // "rubricScore"
 */
export const rubricViews = viewsOf({
  production: [
    "Are the answers good enough, fast and reliable?",
    "rubricScore",
    "successRate",
    "latencyP95",
    "costPer1kUsd",
  ],
  cost: [
    "What do the answers and their judging cost in money, tokens and time?",
    "costPer1kUsd",
    "rubricScore",
    "inputTokens",
    "outputTokens",
    "latencyP50",
    "latencyP95",
    "judgeCostUsd",
  ],
});
