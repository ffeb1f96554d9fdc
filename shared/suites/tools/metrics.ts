import type { Metric } from "../../contracts/metric.ts";
import { metricsOf, viewsOf } from "../../measures/metrics-of.ts";
import { passMetrics } from "../../measures/passes/pass-metrics.ts";
import { performanceMetrics } from "../../measures/performance/performance-metrics.ts";
import { type Level, levels } from "./sample.ts";
import { levelWeights } from "./score/total-score.ts";

const score = metricsOf("ratio", "higher", "score");
const rate = metricsOf("ratio", "higher", "percent");
const time = metricsOf("ms", "lower", "ms");

const match =
  "A call matches an expected one of the same name if it has all expected arguments with equal values; each call is used once.";

/** Labels of levels. */
export const levelLabels: Readonly<Record<Level, string>> = {
  easy: "Easy",
  medium: "Medium",
  hard: "Hard",
};

function ofLevel(level: Level): Metric[] {
  const label = levelLabels[level];
  return [
    rate(
      `${level}Score`,
      label,
      `0.60 · call F1 + 0.15 · time score + 0.25 · on-device ratio of the ${level} samples; ${levelWeights[level]} of the total.`,
    ),
    score(`${level}F1`, `${label}: F1`, `Call F1 of the ${level} samples.`),
    time(`${level}Time`, `${label}: mean latency`, `Of the ${level} samples with a latency.`),
    score(
      `${level}TimeScore`,
      `${label}: time score`,
      `max(0, 1 − mean latency / 500 ms) of the ${level} samples; 0 where no latency is known. The baseline can be set.`,
    ),
    rate(`${level}OnDevice`, `${label}: on device`, `Of the ${level} samples.`),
  ];
}

/**
 * The suite's metrics, headline first.
 * Source: docs/spec/tools.md, metrics.
 */
export const toolsMetrics: readonly Metric[] = [
  score(
    "avgF1",
    "Call F1",
    `Mean over samples of 2 · precision · recall / (precision + recall) of their calls; 1 where no call was expected and none made. ${match} Ranks plain endpoints.`,
  ),
  rate(
    "total",
    "Total",
    "0.20 · easy + 0.30 · medium + 0.50 · hard, each 0.60 · call F1 + 0.15 · time score + 0.25 · on-device ratio of its samples. Weights of missing levels are distributed to the others in proportion. Ranks systems that route between a device and a cloud.",
  ),
  score(
    "precision",
    "Precision",
    `Mean over samples of matched / made calls; 1 where none was expected and none made. ${match}`,
  ),
  score("recall", "Recall", `Mean over samples of matched / expected calls. ${match}`),
  rate("allRight", "All calls right", "Samples whose calls all match, none missing, none extra."),
  rate(
    "conversationRate",
    "Conversations right",
    "Samples of several turns in which every turn is right / samples of several turns: the state after each turn with expected calls equals the one that these lead to, and the results of the expected calls are among those so far. Without a world, all calls of each turn match.",
  ),
  rate("turnRate", "Turns right", "Turns of conversations with which nothing is wrong / turns."),
  score(
    "turnF1",
    "Call F1 of turns",
    `Mean over turns of conversations of the F1 of their calls. ${match}`,
  ),
  rate(
    "stateRate",
    "States right",
    "Turns of conversations after which the state is as expected / turns whose state is checked.",
  ),
  rate(
    "onDeviceRatio",
    "On device",
    "Samples answered with the source on-device; any other source counts as cloud.",
  ),
  time("avgTime", "Mean latency", "Of the samples with a latency."),
  score(
    "timeScore",
    "Time score",
    "max(0, 1 − mean latency / 500 ms) of the samples with a latency; 0 where no latency is known. The baseline can be set.",
  ),
  rate(
    "irrelevanceAccuracy",
    "Irrelevance accuracy",
    "Samples without an expected call and without a call made / samples without an expected call.",
  ),
  score(
    "triggerF1",
    "Trigger F1",
    "Whether a call is made exactly where one is expected, whichever it is: 2 · precision · recall / (precision + recall) over samples. Precision: samples with a call made and expected / samples with a call made; recall: the same / samples with an expected call. A failed request makes none.",
  ),
  rate(
    "schemaValidity",
    "Arguments by schema",
    "Calls whose arguments are valid against the parameters of their tool / calls of offered tools.",
  ),
  ...levels.flatMap(ofLevel),
  ...passMetrics,
  ...performanceMetrics,
];

/**
 * The suite's tables for readers with different purposes.
 * @example toolsViews[0]?.metrics[0] // "allRight"
 */
export const toolsViews = viewsOf({
  production: [
    "Can calls be executed unchanged, in time, and without leaving the device?",
    "allRight",
    "schemaValidity",
    "irrelevanceAccuracy",
    "successRate",
    "latencyP95",
    "onDeviceRatio",
    "costPer1kUsd",
  ],
  choice: [
    "Which system calls best, and at what cost?",
    "total",
    "avgF1",
    "hardScore",
    "onDeviceRatio",
    "avgTime",
    "costPer1kUsd",
  ],
  debugging: [
    "Where do calls fail: missing, unnecessary or malformed calls, and at which level?",
    "precision",
    "recall",
    "schemaValidity",
    "irrelevanceAccuracy",
    "easyF1",
    "mediumF1",
    "hardF1",
    "timeoutRate",
  ],
  research: [
    "How correct are the calls, regardless of time and source?",
    "avgF1",
    "precision",
    "recall",
    "allRight",
    "easyF1",
    "mediumF1",
    "hardF1",
    "irrelevanceAccuracy",
  ],
  cost: [
    "What do the answers cost in money, tokens and time?",
    "costPer1kUsd",
    "total",
    "onDeviceRatio",
    "inputTokens",
    "outputTokens",
    "latencyP50",
    "latencyP95",
  ],
});
