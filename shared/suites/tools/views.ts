import type { View } from "../../contracts/suite.ts";

/**
 * The suite's tables for readers with different purposes.
 * @example toolsViews[0]?.metrics[0] // "allRight"
 */
export const toolsViews: readonly View[] = [
  {
    id: "production",
    label: "Production decision",
    purpose: "Can calls be carried out as they come, in time, and without leaving the device?",
    metrics: [
      "allRight",
      "schemaValidity",
      "irrelevanceAccuracy",
      "successRate",
      "latencyP95",
      "onDeviceRatio",
      "costPer1kUsd",
    ],
  },
  {
    id: "choice",
    label: "Model choice",
    purpose: "Which system calls best, and what does it take?",
    metrics: ["total", "avgF1", "hardScore", "onDeviceRatio", "avgTime", "costPer1kUsd"],
  },
  {
    id: "debugging",
    label: "Debugging",
    purpose: "Where do calls fail: missing, needless, ill-formed, or on samples of which level?",
    metrics: [
      "precision",
      "recall",
      "schemaValidity",
      "irrelevanceAccuracy",
      "easyF1",
      "mediumF1",
      "hardF1",
      "timeoutRate",
    ],
  },
  {
    id: "research",
    label: "Research",
    purpose: "How right are the calls, apart from time and place?",
    metrics: [
      "avgF1",
      "precision",
      "recall",
      "allRight",
      "easyF1",
      "mediumF1",
      "hardF1",
      "irrelevanceAccuracy",
    ],
  },
  {
    id: "cost",
    label: "Cost",
    purpose: "What do the answers take in money, tokens and time?",
    metrics: [
      "costPer1kUsd",
      "total",
      "onDeviceRatio",
      "inputTokens",
      "outputTokens",
      "latencyP50",
      "latencyP95",
    ],
  },
];
