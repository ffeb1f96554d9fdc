import type { ReportSection, SeriesBlock } from "../../../contracts/report.ts";
import { folded, tableOf } from "../../../measures/report/blocks.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import type { ReportFacts } from "./report-facts.ts";

type Bins = NonNullable<ReportFacts["breakdown"]["calibration"]>["bins"];

/**
 * How well a model's confidence tells how right it is: a reliability diagram with its numbers; null without
 * confidences.
 * Source: docs/spec/extraction.md, section 11.
 * @example calibrationSection(facts)?.id // "calibration"
 */
export function calibrationSection({ breakdown }: ReportFacts): ReportSection | null {
  const { calibration } = breakdown;
  if (calibration === null) return null;
  return {
    id: "calibration",
    title: "Calibration",
    intro: `Confidence (from token probabilities) beside the partial F1 that ${calibration.n} answers earned. Below the line of perfect calibration a model is surer than it is right. Expected calibration error: ${figureText(calibration.error, "score")}.`,
    blocks: [
      diagram(calibration.bins),
      ...folded(
        tableOf(
          "Confidence and accuracy",
          [
            ["bin", "Confidence", "text"],
            ["n", "Answers", "count"],
            ["confidence", "Mean confidence", "score"],
            ["accuracy", "Mean partial F1", "score"],
          ],
          calibration.bins.map(({ from, to, n, confidence, accuracy }) => ({
            bin: `${from.toFixed(1)}–${to.toFixed(1)}`,
            n,
            confidence,
            accuracy,
          })),
        ),
      ),
    ],
  };
}

function diagram(bins: Bins): SeriesBlock {
  const known = bins.flatMap(({ confidence, accuracy }) =>
    confidence === null ? [] : [{ x: confidence, y: accuracy }],
  );
  const points = [{ x: 0, y: null }, ...known, { x: 1, y: null }];
  return {
    kind: "series",
    title: "Partial F1 by confidence",
    x: { label: "Mean confidence of a tenth", format: "score" },
    y: { label: "Mean partial F1", format: "score" },
    series: [
      { label: "Answers", tone: "neutral", points },
      {
        label: "Perfect calibration",
        tone: "kind3",
        points: points.map(({ x }) => ({ x, y: x })),
      },
    ],
  };
}
