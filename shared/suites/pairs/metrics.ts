import type { Metric } from "../../contracts/metric.ts";
import { metricsOf, viewsOf } from "../../measures/metrics-of.ts";
import { passMetrics } from "../../measures/passes/pass-metrics.ts";
import { performanceMetrics } from "../../measures/performance/performance-metrics.ts";

const rate = metricsOf("ratio", "higher", "percent");
const badRate = metricsOf("ratio", "lower", "percent");

const mainMetrics: readonly Metric[] = [
  rate(
    "accuracy",
    "Accuracy",
    "Verdicts that are the label / 2 · labelled pairs, both orders of each. A missing verdict counts as wrong. A judge that always chooses the first answer has 50%, as has one that guesses between two.",
  ),
  rate(
    "bothRight",
    "Right in both orders",
    "Labelled pairs right in both orders / labelled pairs.",
    "Right twice",
  ),
  rate(
    "consistency",
    "Same verdict in both orders",
    "Pairs with the same verdict in both orders / pairs. A pair without two verdicts counts as not consistent.",
    "Consistent",
  ),
];

/** Whether the position or the length of an answer decides. */
export const biasMetrics: readonly Metric[] = [
  badRate(
    "firstShare",
    "Chose the first answer",
    "Verdicts for the answer shown first / verdicts that are no tie, over both orders of each pair. 50% without position bias, however good the answers are: each is first once.",
  ),
  badRate(
    "firstTwice",
    "First in both orders",
    "Pairs whose first answer won in both orders / judged pairs.",
    "First twice",
  ),
  badRate(
    "secondTwice",
    "Second in both orders",
    "Pairs whose second answer won in both orders / judged pairs.",
    "Second twice",
  ),
  badRate(
    "longerWins",
    "Longer wins",
    "Pairs won by the longer answer, in characters / pairs won by an answer of another length than the other's. Above 50% for a judge that prefers length, and where longer answers are better.",
  ),
  badRate(
    "longerLabelled",
    "Longer is the label",
    "Labelled pairs whose longer answer is the better one / labelled pairs without ties and equal lengths: longer wins of a judge that is always right.",
  ),
  badRate("tieRate", "Ties", "Pairs called a tie in both orders / judged pairs."),
];

/** The suite's metrics, headline first. */
export const pairsMetrics: readonly Metric[] = [
  ...mainMetrics,
  ...biasMetrics,
  badRate(
    "unjudgedRate",
    "Without two verdicts",
    "Pairs of which one order or both have no verdict / pairs: refused, cut off, or not in the required form. Failed requests included.",
    "Incomplete",
  ),
  ...passMetrics,
  ...performanceMetrics,
];

/**
 * The suite's tables for readers with different purposes.
 * @example pairsViews[0]?.metrics[0] // "accuracy"
 */
export const pairsViews = viewsOf({
  choice: [
    "Which judge is right most often, whatever the order, and at what cost?",
    "accuracy",
    "bothRight",
    "consistency",
    "unjudgedRate",
    "latencyP95",
    "costPer1kUsd",
  ],
  bias: [
    "Which place does a judge prefer, and does it prefer longer answers?",
    ...biasMetrics.map(({ id }) => id),
  ],
  cost: [
    "What do the verdicts cost in money, tokens and time?",
    "costPer1kUsd",
    "accuracy",
    "inputTokens",
    "outputTokens",
    "latencyP50",
    "latencyP95",
  ],
});
