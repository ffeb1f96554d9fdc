import { judgingTable } from "../../../measures/judging/judge-blocks.ts";
import { judgeSection, labelledSection } from "../../../measures/judging/judge-section.ts";
import { unjudgedSection } from "../../../measures/judging/unjudged-section.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import { verdictBlocks } from "../../../measures/report/advice/recommendation-note.ts";
import {
  alsoNote,
  asBrief,
  asFolded,
  type BlockParts,
  note,
  type SectionParts,
} from "../../../measures/report/charts/blocks.ts";
import { metricRadar } from "../../../measures/report/charts/metric-radar.ts";
import { shareSteps, toneGauge } from "../../../measures/report/charts/tone-steps.ts";
import { intervalNote } from "../../../measures/report/figures/interval-basis.ts";
import {
  limitsOf,
  type Reading,
  serviceReadings,
} from "../../../measures/report/figures/reading.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { strengthBlocks } from "../../../measures/report/parts/strength-blocks.ts";
import { comparedByTag, tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { criterionJudges, rubricMetrics } from "../criteria.ts";
import { rubricScore } from "../metrics.ts";
import type { RubricOptions } from "../options.ts";
import { breakdownSchema, type RubricBreakdown } from "../sum/breakdown.ts";
import { rubricAdvice } from "./advice-rules.ts";
import { criterionSection } from "./criterion-section.ts";
import { labelIn, type ReportFacts } from "./report-facts.ts";

/** Maximum criteria in the table of tags: as many as fit. */
const mostTagged = 4;

/**
 * The report of a run: the rubric score, the criteria with their grades and judges, judges and people, unjudged values,
 * tags, performance with judging listed separately, and advice.
 * @example rubricReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const rubricReport = suiteReport<RubricOptions, RubricBreakdown>(breakdownSchema, [
  summarySection,
  criterionSection,
  ({ breakdown, options }) => judgeSection(breakdown, criterionJudges(options.rubric)),
  ({ breakdown, options }) => labelledSection(breakdown, criterionJudges(options.rubric)),
  (facts) => unjudgedSection(facts, labelIn(facts)),
  ({ breakdown, options }) =>
    tagSection(breakdown.tags, {
      figures: [
        rubricScore,
        ...criterionJudges(options.rubric)
          .slice(0, mostTagged)
          .map(({ figures: [main] }) => main.metric),
      ],
      steps: shareSteps,
      things: "Answers",
    }),
  passSection,
  (facts) =>
    performanceSection(facts, {
      intro: "Times of answered requests, in milliseconds, without judging.",
      headline: { label: "rubric score", format: "percent" },
      catalogue: rubricMetrics(facts.options.rubric),
    }),
  judgingSection,
  (facts) => adviceSection(rubricAdvice(facts)),
]);

function judgingSection({ metrics }: ReportFacts): SectionParts {
  return {
    id: "judging",
    title: "Judging",
    intro: "Cost of judging, which is not part of the model's figures.",
    blocks: judgingTable(metrics),
  };
}

/** The rubric score on its scale, its criteria, and which tags differ from the whole. */
function summarySection(facts: ReportFacts): SectionParts {
  const { metrics, breakdown, options } = facts;
  const catalogue = rubricMetrics(options.rubric);
  const ids = breakdown.criteria.map(({ metric }) => metric);
  return {
    id: "summary",
    title: "Summary",
    intro: `Mean over samples of the weighted criteria of the rubric “${breakdown.rubric}”.`,
    blocks: [
      asBrief(toneGauge(rubricScore, metrics["rubricScore"], shareSteps)),
      verdictBlocks(metrics, {
        readings: readingsOf(breakdown, options),
        catalogue,
        headline: "rubricScore",
        advice: rubricAdvice(facts),
        parts: comparedByTag(rubricScore, facts),
      }),
      intervalNote(breakdown.units),
      unscoredNote(breakdown),
      strengthBlocks([comparedByTag(rubricScore, facts)]),
      alsoNote(breakdown.counts, [
        [
          "status error",
          "requests failed, score 0 and are not judged",
          "request failed, scores 0 and is not judged",
        ],
        ["status empty", "answers are empty and score 0", "answer is empty and scores 0"],
        [
          "status refused",
          "answers are refusals, judged by their text",
          "answer is a refusal, judged by its text",
        ],
        [
          "truncated",
          "answers were cut off at the token limit",
          "answer was cut off at the token limit",
        ],
      ]),
      asFolded([
        note("How the score is computed", formulaOf(breakdown)),
        // A radar of two axes is a line.
        ids.length < 3
          ? null
          : metricRadar(
              "Criteria, each as a share of its scale",
              ids.map((id) => ({ id })),
              metrics,
              catalogue,
            ),
      ]),
    ],
  };
}

function formulaOf({ criteria }: RubricBreakdown): string {
  const parts = criteria
    .filter(({ share }) => share > 0)
    .map(({ label, share }) => `${share.toFixed(2)} · ${label}`);
  return `Rubric score = ${parts.join(" + ")}, each grade converted by (grade − worst) / (best − worst).`;
}

function unscoredNote({ unscored, answers, counts }: RubricBreakdown): BlockParts {
  if (unscored === 0) return null;
  const fixed = (counts["status empty"] ?? 0) + (counts["status error"] ?? 0);
  const isAll = fixed > 0 && fixed === answers - unscored;
  const only = isAll
    ? "No answer was judged: the score counts only empty answers and failed requests, which score 0. "
    : "";
  const text = `${only}${unscored} of ${answers} answers have no score, because a criterion with a weight is unjudged for them. No score was invented: they are left out of the mean, which lowers the coverage.`;
  return asBrief(note("Unscored answers", text, "fair"));
}

/** The limits are a reading aid of this project; criteria are not graded, because the rubric defines their meaning. */
const readingsOf = (
  { criteria }: RubricBreakdown,
  { passScore }: ReportFacts["options"],
): readonly Reading[] => [
  { metric: "rubricScore", limits: limitsOf(shareSteps), decides: true },
  ...(passScore === null ? [] : [{ metric: "passRate", limits: limitsOf(shareSteps) }]),
  ...criteria.map(({ metric }): Reading => ({ metric, limits: limitsOf(shareSteps) })),
  ...serviceReadings,
];
