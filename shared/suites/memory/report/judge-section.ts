import type { ReportBlock, ReportSection, TableBlock } from "../../../contracts/report.ts";
import { judges } from "../../../judges/judges.ts";
import { judgeBlocks, judgeName } from "../../../measures/judging/judge-blocks.ts";
import { asBrief, tableOf } from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import { fewestSamples, tooFewRated } from "../../../measures/report/figures/part-interval.ts";
import { judgedLabel, judgedScale, type ReportFacts, scaleText } from "./report-facts.ts";

/**
 * Judges of the run, agreement of panels, and cautions about judges.
 * Source: docs/spec/memory.md, judges and panels.
 * @example judgeSection(facts).id // "judges"
 */
export function judgeSection({ breakdown }: ReportFacts): ReportSection {
  return {
    id: "judges",
    title: "Judges",
    intro:
      "Which judge gave each number. Judges answer at temperature 0, by a fixed prompt whose hash is kept with every judgment.",
    blocks: judgeBlocks(breakdown, judges, "Answers"),
  };
}

/**
 * Judges against people, where the dataset has people's scores; null else.
 * Source: docs/spec/memory.md, calibration.
 * @example peopleSection(facts)?.id // "people"
 */
export function peopleSection({ breakdown }: ReportFacts): ReportSection | null {
  const most = Math.max(0, ...breakdown.judges.map(({ calibration }) => calibration?.n ?? 0));
  if (most === 0) return null;
  const calibrated = breakdown.judges.flatMap(({ metric, judge, calibration }): Row[] => {
    if (calibration === null || calibration.n < fewestSamples) return [];
    const { n, kappa, meanAbsoluteError: error } = calibration;
    return [
      {
        metric: judgedLabel(metric),
        judge: judgeName(judge),
        n,
        scale: scaleText[judgedScale(metric)],
        kappa: kappa.value,
        kappaInterval: intervalText(kappa.interval),
        error: error.value,
        errorInterval: intervalText(error.interval),
      },
    ];
  });
  return {
    id: "people",
    title: "Judges and people",
    intro:
      "Each judge's values against the scores that people gave to the dataset's samples. It says something of a judge where these answers are the ones that people scored.",
    blocks: asBrief<ReportBlock>(
      calibrated.length === 0
        ? [tooFewRated("Judges and people", most)]
        : tableOf(
            "Calibration",
            [
              ["metric", "Metric", "text"],
              ["judge", "Judge", "text"],
              ["scale", "Scale", "text"],
              ["n", "Answers", "count"],
              ["kappa", "Weighted kappa", "score"],
              ["kappaInterval", "95% interval", "figure"],
              ["error", "Mean absolute error", "score"],
              ["errorInterval", "95% interval", "figure"],
            ],
            calibrated,
          ),
    ),
  };
}

type Row = TableBlock["rows"][number];
