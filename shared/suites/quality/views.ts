import type { View } from "../../contracts/suite.ts";

/**
 * The suite's tables for readers with different purposes.
 * @example qualityViews[0]?.metrics[0] // "overall"
 */
export const qualityViews: readonly View[] = [
  {
    ...{ id: "production", label: "Production decision" },
    purpose: "Are responses complete, never cut off, and there in time?",
    metrics: [
      ...["overall", "completeness", "emptyRate", "truncatedRate"],
      ...["successRate", "latencyP95", "costPer1kUsd"],
    ],
  },
  {
    ...{ id: "choice", label: "Model choice" },
    purpose: "Which model writes best, and what does it take?",
    metrics: ["overall", "coherence", "completeness", "structure", "latencyP95", "costPer1kUsd"],
  },
  {
    ...{ id: "debugging", label: "Debugging" },
    purpose: "What goes wrong: empty, cut off, in another language, off the question, or too long?",
    metrics: [
      ...["emptyRate", "truncatedRate", "unsupportedRate", "question", "task"],
      ...["responseWords", "timeoutRate"],
    ],
  },
  {
    ...{ id: "research", label: "Research" },
    purpose: "Which parts make up coherence, completeness, structure and vocabulary?",
    metrics: [
      ...["connector", "pronoun", "topic", "keyword", "question", "task"],
      ...["paragraph", "introduction", "conclusion"],
      ...["diversity", "sophistication", "repetition"],
    ],
  },
  {
    ...{ id: "cost", label: "Cost" },
    purpose: "What do the responses take in money, tokens and time?",
    metrics: [
      ...["costPer1kUsd", "overall", "inputTokens", "outputTokens", "responseWords"],
      ...["latencyP50", "latencyP95"],
    ],
  },
];
