import { judges } from "../../../judges/judges.ts";
import { judgeBlocks, judgeName } from "../../../measures/judging/judge-blocks.ts";
import { asBrief, type SectionParts, tableOf } from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import { fewestSamples, tooFewRated } from "../../../measures/report/figures/part-interval.ts";
import { judgedLabel, judgedScale, type ReportFacts, scaleText } from "./report-facts.ts";

/**
 * Judges of the run, agreement of panels, and cautions about judges.
 * Source: docs/spec/memory.md, judges and panels.
 * @example judgeSection(facts).id // "judges"
 */
export function judgeSection({ breakdown }: ReportFacts): SectionParts {
  return {
    id: "judges",
    title: "Judges",
    intro:
      "Which judge gave each number. Judges answer at temperature 0, with a fixed prompt whose hash is stored with every judgment.",
    blocks: judgeBlocks(breakdown, judges, "Answers"),
  };
}

/**
 * Judges against people, if the dataset has people's scores; else null.
 * Source: docs/spec/memory.md, calibration.
 * @example peopleSection(facts)?.id // "people"
 */
export function peopleSection({ breakdown }: ReportFacts): SectionParts | null {
  const most = Math.max(0, ...breakdown.judges.map(({ calibration }) => calibration?.n ?? 0));
  if (most === 0) return null;
  const calibrated = breakdown.judges.flatMap(({ calibration, metric, judge }) =>
    calibration === null || calibration.n < fewestSamples
      ? []
      : [{ ...calibration, metric, judge }],
  );
  return {
    id: "people",
    title: "Judges and people",
    intro: "Each judge's values against the dataset's own ratings of these answers by people.",
    blocks: asBrief(
      calibrated.length === 0
        ? tooFewRated("Judges and people", most)
        : tableOf(
            "Calibration",
            [
              ["metric", "Metric", "text", ({ metric }) => judgedLabel(metric)],
              ["judge", "Judge", "text", ({ judge }) => judgeName(judge)],
              ["scale", "Scale", "text", ({ metric }) => scaleText[judgedScale(metric)]],
              ["n", "Answers", "count"],
              ["kappa", "Weighted kappa", "score", ({ kappa }) => kappa.value],
              [
                "kappaInterval",
                "95% interval",
                "figure",
                (its) => intervalText(its.kappa.interval),
              ],
              ["error", "Mean absolute error", "score", (its) => its.meanAbsoluteError.value],
              [
                "errorInterval",
                "95% interval",
                "figure",
                (its) => intervalText(its.meanAbsoluteError.interval),
              ],
            ],
            calibrated,
          ),
    ),
  };
}
