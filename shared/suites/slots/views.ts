import type { View } from "../../contracts/suite.ts";

/**
 * The suite's tables for readers with different purposes.
 * Source: docs/spec/slots.md, selection guide.
 * @example slotsViews[0]?.metrics[0] // "f1"
 */
export const slotsViews: readonly View[] = [
  {
    id: "balance",
    label: "Balance",
    purpose: "Which model stores the right facts and no others, all told?",
    metrics: ["f1", "precision", "recall", "valueF1", "f1Macro", "latencyP95", "costPer1kUsd"],
  },
  {
    id: "precision",
    label: "Precision",
    purpose: "Which model stores the fewest false facts?",
    metrics: ["precision", "valuePrecision", "tokenPrecision", "extraSlots", "extraValues", "f1"],
  },
  {
    id: "recall",
    label: "Recall",
    purpose: "Which model misses the fewest facts?",
    metrics: ["recall", "valueRecall", "tokenRecall", "exactMatchCoverage", "bleu1", "f1"],
  },
  {
    id: "latency",
    label: "Latency",
    purpose: "Which model is fast enough for somebody who waits?",
    metrics: [
      "latencyP95",
      "p95Source",
      "latencyP50",
      "latencyP99",
      "latencyMean",
      "timeoutRate",
      "f1",
    ],
  },
  {
    id: "cost",
    label: "Cost",
    purpose: "What do the answers take in money, tokens and time?",
    metrics: ["costPer1kUsd", "f1", "inputTokens", "outputTokens", "latencyP50", "latencyP95"],
  },
];
