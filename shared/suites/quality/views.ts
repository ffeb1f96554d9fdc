import type { View } from "../../contracts/suite.ts";

/**
 * The suite's tables for readers with different purposes.
 * @example qualityViews[0]?.metrics[0] // "emptyRate"
 */
export const qualityViews: readonly View[] = [
  {
    id: "debugging",
    label: "Debugging",
    purpose: "What goes wrong: empty, cut off, in another language, off the question, or too long?",
    metrics: [
      "emptyRate",
      "truncatedRate",
      "unsupportedRate",
      "question",
      "task",
      "responseWords",
      "timeoutRate",
    ],
  },
  {
    id: "research",
    label: "Research",
    purpose: "Which parts make up coherence, completeness, structure and vocabulary?",
    metrics: [
      "connector",
      "pronoun",
      "topic",
      "keyword",
      "question",
      "task",
      "paragraph",
      "introduction",
      "conclusion",
      "diversity",
      "sophistication",
      "repetition",
    ],
  },
  {
    id: "cost",
    label: "Cost",
    purpose: "What do the responses take in money, tokens and time?",
    metrics: [
      "costPer1kUsd",
      "overall",
      "inputTokens",
      "outputTokens",
      "responseWords",
      "latencyP50",
      "latencyP95",
    ],
  },
];
