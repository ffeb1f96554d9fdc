import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import { judgeAdvice } from "../../../measures/judging/judge-advice.ts";
import {
  type Advice,
  type AdviceRules,
  applyRules,
} from "../../../measures/report/advice/advice.ts";
import { answerAdvice, shareAdvice } from "../../../measures/report/advice/answer-advice.ts";
import {
  adviceBelow,
  balanceAdvice,
  isBelow,
  knownMetric,
  valueText,
} from "../../../measures/report/advice/known-metric.ts";
import { weakestAdvice } from "../../../measures/report/advice/weakest-part.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { wilsonInterval } from "../../../stats/significance/wilson-interval.ts";
import { slotsMetrics } from "../metrics.ts";
import { comparedFigures, partValue, type ReportFacts } from "./report-facts.ts";

/** Highest acceptable share of unreadable answers. */
const mostUnreadable = 0.02;
/** Minimum useful F1: start of the gauge's fair zone. */
const leastF1 = 0.5;
/** Below this precision, extra slots are mentioned. */
const enoughPrecision = 0.95;
/** With fewer extra slots no topic is named. */
const leastExtra = 10;
/** Difference between presence and exact values from which the form of values is the likely cause. */
const valueGap = 0.1;
/** Highest acceptable share of unjudged slots. */
const mostUnjudged = 0.05;

const known = ({ metrics }: ReportFacts, id: string) => knownMetric(id, metrics, slotsMetrics);

const score = (value: number) => figureText(value, "score");

/** Advice rules, in this order, each with its own figure. Source: docs/spec/slots.md, notes on every report. */
const rules: AdviceRules<ReportFacts> = {
  unanswered: ({ breakdown, options }) =>
    answerAdvice(breakdown.counts, breakdown.answers, options.maxTokens),
  unreadable: ({ breakdown: { counts, answers }, options }) =>
    shareAdvice({
      tone: "poor",
      change: "mode",
      cell: "Unreadable answers",
      limit: mostUnreadable,
      count: counts["parse failed"] ?? 0,
      n: answers,
      finding: "could not be read, so all their slots are missed.",
      action:
        options.format === "json"
          ? "Request structured output if the endpoint supports it (structuredOutput), else lines (format: lines)."
          : "Request JSON (format: json), with structured output if the endpoint supports it.",
    }),
  wrongModel: (facts) =>
    adviceBelow(known(facts, "f1"), leastF1, (f1) => ({
      tone: "poor",
      change: "model",
      finding: `F1 is ${valueText(f1)}, clearly below ${score(leastF1)}.`,
      action: "Use a stronger model; see the leaderboard of this dataset.",
    })),
  balance: (facts) =>
    balanceAdvice(known(facts, "precision"), known(facts, "recall"), {
      missing: [
        "the model omits more than it invents.",
        "Tell it in the system prompt to go through the fields one by one and to store each stated fact.",
      ],
      extra: [
        "the model stores slots that it should not.",
        "Tell it in the system prompt to store only what users say about themselves, and to guess nothing.",
      ],
    }),
  extraSlots,
  otherValues,
  weakest: (facts) =>
    weakestAdvice(comparedFigures(facts)[0], ({ kind, label, value }, whole) => ({
      tone: "fair",
      change: kind === "topic" ? "prompt" : "data",
      cell: `F1, ${label}`,
      format: "score",
      finding: `F1 is lowest for ${label}: ${score(value)} against ${score(whole)} over all sessions.`,
      action:
        kind === "topic"
          ? "Describe the fields of this topic in the prompt, with an example of each."
          : "Read its sessions with the lowest scores: the expected values may be worded differently from the conversation, or the prompt may not cover their case.",
    })),
  unjudged,
  judges: ({ breakdown }) => judgeAdvice({ ...breakdown, labelOf: () => slotAccuracy.label }),
};

/**
 * Advice on a run, by rules that each use one figure; empty if no figure is clearly bad.
 * @example slotsAdvice(facts)[0]?.change // "prompt"
 */
export const slotsAdvice = (facts: ReportFacts): Advice[] => applyRules(rules, facts);

/** The topic with the most extra slots. */
function extraSlots(facts: ReportFacts): Advice | null {
  if (!isBelow(known(facts, "precision"), enoughPrecision)) return null;
  const { topics } = facts.breakdown;
  const extra = (topic: (typeof topics)[number]) => partValue(topic, "extraSlots") ?? 0;
  const total = topics.reduce((sum, topic) => sum + extra(topic), 0);
  const [worst] = [...topics].sort((a, b) => extra(b) - extra(a));
  if (worst === undefined || total < leastExtra) return null;
  const share = wilsonInterval(extra(worst), total);
  // If extra slots are spread evenly, no topic is named.
  if (share === null || share[0] <= 1 / topics.length) return null;
  return {
    tone: "fair",
    change: "prompt",
    cell: `Extra slots in ${worst.name}`,
    format: "count",

    value: extra(worst),
    interval: worst.figures["extraSlots"]?.interval ?? null,
    n: worst.n,
    finding: `${figureText(extra(worst), "count")} of ${figureText(total, "count")} extra slots are in the topic ${worst.name}.`,
    action:
      partValue(worst, "expectedSlots") === 0
        ? "Tell the model in the prompt to use only the listed topics; structured output enforces this."
        : "Say in the prompt what does not belong to this topic, with an example.",
  };
}

/** Slots are stored, but with other values than expected. */
function otherValues(facts: ReportFacts): Advice | null {
  const [exact, recall] = [known(facts, "exactMatchCoverage"), known(facts, "recall")];
  if (recall === null || !isBelow(exact, recall.interval[0] - valueGap)) return null;
  return {
    tone: "fair",
    change: "prompt",
    ...exact,
    finding: `${figureText(recall.value, "percent")} of the expected slots are stored, but only ${figureText(exact.value, "percent")} with the expected values.`,
    action:
      "Show in the prompt the required form of values: the user's own words, short, a list if there are several.",
  };
}

function unjudged({ breakdown, metrics }: ReportFacts): Advice | null {
  const { unjudged: rows } = breakdown;
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const share = metrics["unjudgedRate"]?.value ?? null;
  if (count === 0 || share === null) return null;
  return shareAdvice({
    tone: "fair",
    change: "judges",
    cell: "Unjudged slots",
    things: "stored slots",
    count,
    n: Math.round(count / share),
    limit: mostUnjudged,
    finding: "have no judgment.",
    action:
      "Name a judge whose endpoint answers, or a fallback, and judge the stored answers again.",
  });
}
