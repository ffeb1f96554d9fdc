import type { View } from "../../contracts/suite.ts";

/**
 * The suite's tables for readers with different purposes.
 * @example extractionViews[0]?.metrics[0] // "validity"
 */
export const extractionViews: readonly View[] = [
  {
    id: "production",
    label: "Production decision",
    purpose: "May a program rely on the output, and does it come in time?",
    metrics: [
      "validity",
      "eqs",
      "exactMatch",
      "criticalHallucinationRate",
      "successRate",
      "latencyP95",
      "costPer1kUsd",
    ],
  },
  {
    id: "choice",
    label: "Model choice",
    purpose: "Which model extracts best, and what does it take?",
    metrics: [
      "eqs",
      "partialF1Macro",
      "hallucinationRate",
      "exactMatch",
      "latencyP95",
      "costPer1kUsd",
    ],
  },
  {
    id: "debugging",
    label: "Debugging",
    purpose: "Where do answers fail: unread, invalid, incomplete, invented or late?",
    metrics: [
      "parseFailureRate",
      "schemaFailureRate",
      "omissionRate",
      "hallucinationRateOfValid",
      "typeAccuracyMicro",
      "timeoutRate",
      "retryRate",
    ],
  },
  {
    id: "research",
    label: "Research",
    purpose: "How do results depend on the way a field is credited?",
    metrics: [
      "strictF1",
      "partialF1",
      "lenientF1",
      "partialPrecision",
      "partialRecall",
      "partialF1Macro",
      "fuzzyMatchRate",
      "calibrationError",
    ],
  },
  {
    id: "cost",
    label: "Cost",
    purpose: "What do the answers take in money, tokens and time?",
    metrics: [
      "costPer1kUsd",
      "eqs",
      "inputTokens",
      "outputTokens",
      "tokenEfficiency",
      "latencyP50",
      "latencyP95",
    ],
  },
];
