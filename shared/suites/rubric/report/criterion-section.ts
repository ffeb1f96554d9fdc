import type { MatrixBlock } from "../../../contracts/report.ts";
import { judgeName } from "../../../measures/judging/judge-blocks.ts";
import {
  asBrief,
  type BlockParts,
  metricBars,
  type SectionParts,
  tableOf,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { figureText, intervalText } from "../../../measures/report/figures/figure-text.ts";
import { rubricMetrics } from "../criteria.ts";
import type { RubricBreakdown } from "../sum/breakdown.ts";
import type { ReportFacts } from "./report-facts.ts";

type Row = RubricBreakdown["criteria"][number];

/** A rubric has at most 20 criteria: all are shown. */
const mostRows = 20;

/**
 * Every criterion: its value with interval, its mean grade on its own scale, its answers by grade, and its judges.
 * @example criterionSection(facts).id // "criteria"
 */
export function criterionSection({ metrics, breakdown, options }: ReportFacts): SectionParts {
  const { criteria, judges } = breakdown;
  const namesOf = ({ metric }: Row): string | null => {
    const its = judges.filter((row) => row.metric === metric && row.judged > 0);
    return its.map(({ judge }) => judgeName(judge)).join(", ") || null;
  };
  return {
    id: "criteria",
    title: "The criteria",
    intro: "What judges were asked, and their grades; bars show them as shares of their scales.",
    blocks: [
      metricBars(
        "Criteria, each as a share of its scale",
        criteria.map(({ metric }) => metric),
        metrics,
        { catalogue: rubricMetrics(options.rubric), steps: shareSteps },
      ),
      asBrief(
        withSamples(
          tableOf<Row>(
            "Criteria and their judges",
            [
              ["label", "Criterion", "text"],
              ["question", "Question", "text"],
              ["share", "Weight", "percent"],
              ["scale", "Worst to best", "figure", ({ worst, best }) => `${worst} to ${best}`],
              ["mean", "Mean grade", "figure", ({ mean }) => figureText(mean, "score")],
              [
                "interval",
                "95% interval",
                "figure",
                ({ interval }) => intervalText(interval, "score"),
              ],
              ["coverage", "Judged", "percent"],
              ["judges", "Judged by", "text", namesOf],
            ],
            criteria,
            mostRows,
          ),
          criteria,
          ({ metric: path }) => ({ path, verdict: "low" }),
        ),
      ),
      gradeMatrices(criteria),
    ],
  };
}

/** The share of judged answers with each grade, one matrix for the criteria of each scale. */
function gradeMatrices(criteria: readonly Row[]): BlockParts {
  const judged = criteria.filter((row) => row.judged > 0);
  const namesOf = ({ levels }: Row) => levels.map(({ grade }) => `${grade}`);
  const byScale = Map.groupBy(judged, (row) => namesOf(row).join(", "));
  return [...byScale].map(
    ([scale, rows]): MatrixBlock => ({
      kind: "matrix",
      title: byScale.size === 1 ? "Answers by grade" : `Answers by grade, of ${scale}`,
      format: "percent",
      scale: "share",
      rows: { label: "Criterion", names: rows.map(({ label }) => label) },
      columns: { label: "Grade, the worst first", names: namesOf(rows[0]!) },
      cells: rows.map(({ levels, judged: all }) => levels.map(({ count }) => count / all)),
    }),
  );
}
