import type { Metric } from "../../contracts/metric.ts";
import { judgingMetrics } from "../../measures/judging/judging-metrics.ts";
import { metricsOf, viewsOf } from "../../measures/metrics-of.ts";
import { passMetrics } from "../../measures/passes/pass-metrics.ts";
import { performanceMetrics } from "../../measures/performance/performance-metrics.ts";

const score = metricsOf("ratio", "higher", "score");
const rate = metricsOf("ratio", "lower", "percent");
const extra = metricsOf("count", "lower", "count");
const latency = metricsOf("ms", "lower", "ms");

const presence =
  "TP: expected slots stored with at least one value; FP: slots stored and not expected; FN: expected slots without a stored value. Over all sessions.";
const value =
  "Right: expected slots stored with exactly the expected values, compared in canonical form, in any order. Over all sessions.";
const tokens =
  "Tokens are the words of canonical values; shared ones are counted slot by slot, with multiplicity. Over the expected slots of all sessions; extra slots add nothing.";

/**
 * The suite's metrics, headline first.
 * Source: docs/spec/slots.md, metrics.
 */
export const slotsMetrics: readonly Metric[] = [
  score("f1", "F1", `2 · precision · recall / (precision + recall). ${presence}`),
  score("precision", "Precision", `TP / (TP + FP). ${presence}`),
  score("recall", "Recall", `TP / (TP + FN). ${presence}`),
  score(
    "f1Macro",
    "F1, mean of sessions",
    "Mean over sessions of the F1 of each; 0 for a session that expects nothing.",
  ),
  score("valuePrecision", "Value precision", `Right / stored slots. ${value}`),
  score("valueRecall", "Value recall", `Right / expected slots. ${value}`),
  score(
    "valueF1",
    "Value F1",
    `2 · value precision · value recall / (value precision + value recall). ${value}`,
  ),
  score(
    "exactMatchCoverage",
    "Exact match coverage",
    "Expected slots whose canonical value sets are equal / expected slots.",
  ),
  score("tokenPrecision", "Token precision", `Shared / stored tokens. ${tokens}`),
  score("tokenRecall", "Token recall", `Shared / expected tokens. ${tokens}`),
  score(
    "tokenF1",
    "Token F1",
    `2 · token precision · token recall / (token precision + token recall). ${tokens}`,
  ),
  score(
    "bleu1",
    "BLEU-1",
    "Mean over expected slots of shared / stored tokens · brevity, which is exp(1 − expected / stored tokens) where fewer are stored than expected, else 1; 0 where nothing is stored.",
  ),
  extra("extraSlots", "Extra slots", "Slots stored and not expected."),
  extra("extraValues", "Extra values", "Values of the extra slots, unchanged."),
  score(
    "judgeScore",
    "Judge score",
    "Mean over expected slots of a judge's rating, 0–1, of how well the stored value matches the meaning of the expected one; 0 if nothing is stored. Only in judged runs, over sessions whose stored expected slots are all judged.",
  ),
  ...judgingMetrics,
  rate(
    "unjudgedRate",
    "Unjudged",
    "Stored expected slots without a judge's value / stored expected slots, in judged runs.",
  ),
  ...passMetrics,
  ...performanceMetrics,
  latency("latencyTotal", "Latency, total", "Sum of the latencies of answered requests."),
  latency(
    "p95Source",
    "Latency p95, by the source",
    "The element at max(int(0.95 · n) − 1, 0) of the sorted latencies, as in this suite's source; latency p95 is interpolated (type 7).",
  ),
];

/**
 * The suite's tables for readers with different purposes.
 * Source: docs/spec/slots.md, selection guide.
 * @example slotsViews[0]?.metrics[0] // "f1"
 */
export const slotsViews = viewsOf({
  balance: [
    "Overall, which model stores the right facts and no others?",
    "f1",
    "precision",
    "recall",
    "valueF1",
    "f1Macro",
    "latencyP95",
    "costPer1kUsd",
  ],
  precision: [
    "Which model stores the fewest false facts?",
    "precision",
    "valuePrecision",
    "tokenPrecision",
    "extraSlots",
    "extraValues",
    "f1",
  ],
  recall: [
    "Which model misses the fewest facts?",
    "recall",
    "valueRecall",
    "tokenRecall",
    "exactMatchCoverage",
    "bleu1",
    "f1",
  ],
  latency: [
    "Which model is fast enough for interactive use?",
    "latencyP95",
    "p95Source",
    "latencyP50",
    "latencyP99",
    "latencyMean",
    "timeoutRate",
    "f1",
  ],
  cost: [
    "What do the answers cost in money, tokens and time?",
    "costPer1kUsd",
    "f1",
    "inputTokens",
    "outputTokens",
    "latencyP50",
    "latencyP95",
  ],
});
