import {
  type Advice,
  type AdviceRules,
  applyRules,
} from "../../../measures/report/advice/advice.ts";
import { answerAdvice, shareAdvice } from "../../../measures/report/advice/answer-advice.ts";
import {
  adviceAbove,
  adviceBelow,
  isBelow,
  knownMetric,
  valueText,
} from "../../../measures/report/advice/known-metric.ts";
import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import { pairsMetrics } from "../metrics.ts";
import type { PairsOptions } from "../options.ts";
import type { PairsBreakdown } from "../sum/breakdown.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<PairsOptions, PairsBreakdown>;

/** Lowest useful accuracy: start of the gauge's good zone; a guess has 0.5. */
const leastAccuracy = 0.75;
/** Highest acceptable shares of pairs decided by their order, and of pairs without two verdicts. */
const mostTwice = 0.1;
const mostUnjudged = 0.02;

const known = ({ metrics }: ReportFacts, id: string) => knownMetric(id, metrics, pairsMetrics);

/** Advice rules, in this order, each with its own figure. */
const rules: AdviceRules<ReportFacts> = {
  unanswered: ({ breakdown, options }) =>
    answerAdvice(breakdown.counts, breakdown.answers, options.maxTokens),
  unjudged: ({ breakdown: { counts, answers } }) =>
    shareAdvice({
      tone: "poor",
      change: "mode",
      cell: "Pairs without two verdicts",
      limit: mostUnjudged,
      n: answers,
      things: "pairs",
      count: (counts["orders unjudged"] ?? 0) - (counts["status error"] ?? 0),
      finding: "have no verdict in one order or both, and count as wrong and not consistent.",
      action: "Request structured output if the endpoint supports it (structuredOutput).",
    }),
  wrongModel: (facts) =>
    adviceBelow(known(facts, "accuracy"), leastAccuracy, (accuracy) => ({
      tone: "poor",
      change: "model",
      finding: `Accuracy is ${valueText(accuracy)}; a guess between two answers has 50.0%.`,
      action: "Use a stronger judge; see the leaderboard of this dataset.",
    })),
  first: (facts) => positionAdvice(facts, "firstTwice", "first"),
  second: (facts) => positionAdvice(facts, "secondTwice", "second"),
  length: (facts) => {
    const [wins, label] = [known(facts, "longerWins"), known(facts, "longerLabelled")];
    if (wins === null || !isBelow(label, wins)) return null;
    return {
      ...wins,
      tone: "fair",
      change: "prompt",
      finding: `The longer answer wins ${valueText(wins)} of the pairs, but by the labels it is better in only ${valueText(label)}.`,
      action: "Say in the instructions what makes an answer too long, or use another judge.",
    };
  },
};

function positionAdvice(facts: ReportFacts, id: string, place: string): Advice | null {
  return adviceAbove(known(facts, id), mostTwice, (twice) => ({
    tone: "fair",
    change: "model",
    finding: `In ${valueText(twice)} of the pairs the ${place} answer won in both orders: its place decided.`,
    action: "Always ask in both orders and count such pairs as ties, or use another judge.",
  }));
}

/**
 * Advice on a judge, by rules that each use one figure; empty if no figure is clearly bad.
 * @example pairsAdvice(facts)[0]?.change // "model"
 */
export const pairsAdvice = (facts: ReportFacts): Advice[] => applyRules(rules, facts);
