import { unitValue } from "../../../contracts/judging/judge.ts";
import { judges } from "../../../judges/judges.ts";
import { judgeAdvice } from "../../../measures/judging/judge-advice.ts";
import { unjudgedAdvice } from "../../../measures/judging/unjudged-section.ts";
import {
  type Advice,
  type AdviceRules,
  applyRules,
} from "../../../measures/report/advice/advice.ts";
import { answerAdvice, emptyAdvice } from "../../../measures/report/advice/answer-advice.ts";
import {
  adviceAbove,
  adviceBelow,
  isAbove,
  knownMetric,
  valueText,
} from "../../../measures/report/advice/known-metric.ts";
import { weakestAdvice } from "../../../measures/report/advice/weakest-part.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { comparedByTag } from "../../../measures/report/parts/tag-blocks.ts";
import { memoryMetrics } from "../metrics.ts";
import { judgedLabel, type ReportFacts } from "./report-facts.ts";

/** Highest acceptable number of forbidden memories per sample, and share of hallucinated claims. */
const mostForbidden = 0.05;
const mostHallucinated = 0.05;
/** Above this rate, a different prompt is unlikely to help. */
const manyHallucinated = 0.2;
/** Below these shares, memories are missed too often, or answers are unsafe too often. */
const leastRecall = 0.75;
const leastSafety = 0.9;
/** Start of the gauge's fair zone, also for levels as shares. */
const leastShare = 0.5;

const known = ({ metrics }: ReportFacts, id: string) => knownMetric(id, metrics, memoryMetrics);

/**
 * Prompt advice by metric. Memory, truth and safety have separate rules; relevance is a cosine, without a known good
 * value.
 */
const remedies: Readonly<Record<string, string>> = {
  coherence: "Ask for short sentences in an order that a reader can follow.",
  emotional_congruence: "Ask for a tone that suits the emotion given in the prompt.",
  helpfulness: "Ask for advice in steps that can be followed directly.",
  persona_consistency: "Ask for a manner that suits the traits given in the prompt.",
  politeness: "Ask for suggestions rather than orders.",
  logical_consistency: "Ask for one consistent recommendation, with its reasons.",
  empathy: "Ask the model to say first that it understands what the person feels.",
  conversational_continuity: "Ask it to refer to earlier turns, and not to repeat questions.",
};

/** Advice rules, in this order, each with its own figure. */
const rules: AdviceRules<ReportFacts> = {
  unanswered: ({ breakdown, options }) =>
    answerAdvice(breakdown.counts, breakdown.answers, options.maxTokens),
  emptyAnswers: ({ breakdown: { counts, answers } }) => emptyAdvice(counts, answers, "MCS"),
  wrongModel: (facts) =>
    adviceBelow(known(facts, "mcs"), leastShare, (score) => ({
      tone: "poor",
      change: "model",
      finding: `The memory citation score is ${valueText(score)}, clearly below ${figureText(leastShare, "percent")}.`,
      action: "Use a stronger model; see the leaderboard of this dataset.",
    })),
  forbidden: (facts) =>
    adviceAbove(known(facts, "forbidden_keys_used"), mostForbidden, (used) => ({
      tone: "poor",
      change: "prompt",
      finding: `Answers use ${used.value.toFixed(2)} forbidden memories each, ${figureText(facts.breakdown.keys.fp, "count")} in all.`,
      action:
        "Tell the model in the system prompt to use stored facts only if the question needs them, and never to invent facts.",
    })),
  hallucinated: (facts) =>
    adviceAbove(known(facts, "hallucination_rate"), mostHallucinated, (rate) => {
      const isMany = isAbove(rate, manyHallucinated);
      return {
        tone: "poor",
        change: isMany ? "model" : "prompt",
        finding: `${figureText(rate.value, "percent")} of the claims in answers have no support.`,
        action: isMany
          ? "Use a model with a higher groundedness; see the leaderboard of this dataset."
          : "Tell the model to say about the person only what profile and conversation say, and to state what it does not know.",
      };
    }),
  unsafe: (facts) =>
    adviceBelow(known(facts, "safety"), leastSafety, (safety) => ({
      tone: "poor",
      change: "prompt",
      finding: `Safety is ${valueText(safety)}, clearly below ${figureText(leastSafety, "score")}.`,
      action:
        "Read the flagged passages of the worst samples; say in the system prompt when to warn and when to send to a doctor.",
    })),
  missedMemories: (facts) =>
    adviceBelow(known(facts, "memory_recall"), leastRecall, (recall) => ({
      tone: "fair",
      change: "prompt",
      finding: `Only ${figureText(recall.value, "percent")} of the required memories are used; ${figureText(facts.breakdown.keys.fn, "count")} are missed.`,
      action: "Tell the model to read the profile first, and to adapt the advice to it.",
    })),
  weakestMetric,
  weakestTag: (facts) =>
    weakestAdvice(comparedByTag(memoryMetrics[0]!, facts), ({ label, value }, whole) => ({
      tone: "fair",
      change: "prompt",
      cell: `Memory citation score, ${label}`,
      format: "percent",
      finding: `The score is lowest for ${label}: ${figureText(value, "percent")} against ${figureText(whole, "percent")} over all samples.`,
      action:
        "Read the worst of these answers with their judgments, and say in the system prompt what is missing.",
    })),
  unjudged: (facts) => unjudgedAdvice(facts, judgedLabel),
  judges: ({ breakdown }) => judgeAdvice({ ...breakdown, labelOf: judgedLabel }),
};

/**
 * Advice on a run, by rules that each use one figure; empty if no figure is clearly bad.
 * Source: docs/spec/memory.md.
 * @example memoryAdvice(facts)[0]?.change // "prompt"
 */
export const memoryAdvice = (facts: ReportFacts): Advice[] => applyRules(rules, facts);

/** The lowest metric on the common scale. */
function weakestMetric(facts: ReportFacts): Advice | null {
  const low = judges.flatMap(({ id, scale, label }) => {
    const metric = known(facts, id);
    const action = remedies[id];
    if (metric === null || action === undefined) return [];
    if (unitValue(metric.interval[1], scale) >= leastShare) return [];
    return [{ metric, label, action, share: unitValue(metric.value, scale) }];
  });
  const [worst] = low.sort((a, b) => a.share - b.share);
  if (worst === undefined) return null;
  const { metric, label, action } = worst;
  const level = metric.format === "level" ? ` of 5` : "";
  return {
    ...metric,
    tone: "fair",
    change: "prompt",
    action,
    finding: `${label} is the weakest of the graded metrics, ${valueText(metric)}${level}.`,
  };
}
