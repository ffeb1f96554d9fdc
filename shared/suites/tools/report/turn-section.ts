import {
  asBrief,
  type Column,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { turnWords } from "../show/show-turns.ts";
import type { TurnFigures } from "../sum/breakdown.ts";
import { turnFailures } from "../turns/score-turns.ts";
import { bars, type ReportFacts } from "./report-facts.ts";

/**
 * Samples with several turns: the share of right conversations, failures of turns, and time and tokens by turn; null if
 * the dataset has no such samples.
 * Source: docs/spec/tools.md, several turns.
 * @example turnSection(facts)?.id // "turns"
 */
export function turnSection({ metrics, breakdown: { turns } }: ReportFacts): SectionParts | null {
  if (turns.length === 0) return null;
  const failures = turnFailures.map((failure) => ({
    failure: turnWords[failure],
    count: turns.reduce((sum, turn) => sum + turn.failures[failure], 0),
  }));
  return {
    id: "turns",
    title: "Turns",
    intro: "A conversation is right if the state and the results are as expected after each turn.",
    blocks: [
      bars(
        "Conversations and their turns",
        ["conversationRate", "turnRate", "stateRate", "turnF1"],
        metrics,
      ),
      asBrief(
        tableOf(
          "By turn",
          [
            ["turn", "Turn", "count"],
            ["n", "Conversations", "count"],
            ["rate", "Right", "percent", ({ right, n }) => right / n],
            ["f1", "Call F1", "score"],
            ["requests", "Requests", "score"],
            ["latencyP50", "Median latency", "ms"],
            ["inputTokens", "Input tokens", "count"],
            ["outputTokens", "Output tokens", "count"],
            ...costColumn(turns),
          ],
          turns,
        ),
      ),
      tableOf(
        "What was wrong with turns",
        [
          ["failure", "Failure", "text"],
          ["count", "Turns", "count"],
        ],
        failures,
      ),
    ],
  };
}

/** Only runs with prices have costs. */
const costColumn = (turns: ReportFacts["breakdown"]["turns"]): Column<TurnFigures>[] =>
  turns.some(({ costUsd }) => costUsd !== null) ? [["costUsd", "Mean cost", "usd"]] : [];
