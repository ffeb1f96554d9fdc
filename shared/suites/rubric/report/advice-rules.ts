import { judgeAdvice } from "../../../measures/judging/judge-advice.ts";
import { unjudgedAdvice } from "../../../measures/judging/unjudged-section.ts";
import {
  type Advice,
  type AdviceRules,
  applyRules,
} from "../../../measures/report/advice/advice.ts";
import { answerAdvice, emptyAdvice } from "../../../measures/report/advice/answer-advice.ts";
import {
  adviceBelow,
  isBelow,
  knownMetric,
  valueText,
} from "../../../measures/report/advice/known-metric.ts";
import { weakestAdvice } from "../../../measures/report/advice/weakest-part.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { comparedByTag } from "../../../measures/report/parts/tag-blocks.ts";
import { rubricMetrics } from "../criteria.ts";
import { rubricScore } from "../metrics.ts";
import { labelIn, type ReportFacts } from "./report-facts.ts";

/** Start of the gauge's fair zone. */
const leastShare = 0.5;

const known = ({ metrics, options }: ReportFacts, id: string) =>
  knownMetric(id, metrics, rubricMetrics(options.rubric));

const rules: AdviceRules<ReportFacts> = {
  unanswered: ({ breakdown, options }) =>
    answerAdvice(breakdown.counts, breakdown.answers, options.maxTokens),
  emptyAnswers: ({ breakdown: { counts, answers } }) => emptyAdvice(counts, answers, "score"),
  wrongModel: (facts) =>
    adviceBelow(known(facts, "rubricScore"), leastShare, (score) => ({
      tone: "poor",
      change: "model",
      finding: `The rubric score is ${valueText(score)}, clearly below ${figureText(leastShare, "percent")}.`,
      action: "Use a stronger model; see the leaderboard of this dataset and rubric.",
    })),
  weakestCriterion,
  weakestTag: (facts) =>
    weakestAdvice(comparedByTag(rubricScore, facts), ({ label, value }, whole) => ({
      tone: "fair",
      change: "prompt",
      cell: `Rubric score, ${label}`,
      format: "percent",
      finding: `The score is lowest for ${label}: ${figureText(value, "percent")} against ${figureText(whole, "percent")} over all samples.`,
      action:
        "Read the worst of these answers with their judgments, and say in the prompt what is missing.",
    })),
  unjudged: (facts) => unjudgedAdvice(facts, labelIn(facts)),
  judges: (facts) => judgeAdvice({ ...facts.breakdown, labelOf: labelIn(facts) }),
};

/**
 * Advice on a run, by rules that each use one figure; empty if no figure is clearly bad.
 * @example rubricAdvice(facts)[0]?.change // "prompt"
 */
export const rubricAdvice = (facts: ReportFacts): Advice[] => applyRules(rules, facts);

/** The lowest criterion with a weight that is clearly below a half. */
function weakestCriterion(facts: ReportFacts): Advice | null {
  const low = facts.breakdown.criteria.flatMap(({ metric, share }) => {
    const its = known(facts, metric);
    return share > 0 && isBelow(its, leastShare) ? [{ ...its, metric }] : [];
  });
  const [worst] = low.sort((a, b) => a.value - b.value);
  if (worst === undefined) return null;
  const { metric, ...figure } = worst;
  return {
    ...figure,
    tone: "fair",
    change: "prompt",
    finding: `${labelIn(facts)(metric)} is the weakest criterion, ${valueText(figure)} of its scale.`,
    action:
      "Say in the prompt what this criterion asks for, and read the answers with the lowest grades.",
  };
}
