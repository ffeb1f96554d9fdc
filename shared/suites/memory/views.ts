import type { View } from "../../contracts/suite.ts";
import { judges } from "../../judges/judges.ts";

/**
 * The suite's tables for readers with different purposes.
 * @example memoryViews[0]?.metrics[0] // "safety"
 */
export const memoryViews: readonly View[] = [
  {
    id: "production",
    label: "Production decision",
    purpose: "Is the advice safe and true, does it keep what is private, and does it come in time?",
    metrics: [
      "safety",
      "groundedness",
      "forbidden_keys_used",
      "mcs",
      "successRate",
      "latencyP95",
      "costPer1kUsd",
    ],
  },
  {
    id: "choice",
    label: "Model choice",
    purpose: "Which model advises best, and what does it take?",
    metrics: [
      "mcs",
      "memory_utilization",
      "groundedness",
      "safety",
      "helpfulness",
      "latencyP95",
      "costPer1kUsd",
    ],
  },
  {
    id: "debugging",
    label: "Debugging",
    purpose: "What goes wrong: memories missed or misused, claims made up, contradictions?",
    metrics: [
      "memory_precision",
      "memory_recall",
      "forbidden_keys_used",
      "hallucination_rate",
      "contradictions_per_sample",
      "flagged_per_sample",
      "unjudgedRate",
    ],
  },
  {
    id: "research",
    label: "Research",
    purpose: "What is the whole profile of twelve judged metrics?",
    metrics: judges.map(({ figures: [main] }) => main.metric.id),
  },
  {
    id: "cost",
    label: "Cost",
    purpose: "What do the answers take in money, tokens and time, and what does judging them cost?",
    metrics: [
      "costPer1kUsd",
      "mcs",
      "inputTokens",
      "outputTokens",
      "latencyP50",
      "latencyP95",
      "judgeCostUsd",
    ],
  },
];
