import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * How well a model's confidence tells how right it is; null without confidences.
 * Source: specification of the extraction suite, section 11.
 * @example calibrationSection(facts)?.id // "calibration"
 */
export function calibrationSection({ breakdown }: ReportFacts): ReportSection | null {
  const { calibration } = breakdown;
  if (calibration === null) return null;
  return {
    id: "calibration",
    title: "Calibration",
    intro: `Confidence (from token probabilities) beside the partial F1 that ${calibration.n} answers earned. Expected calibration error: ${calibration.error.toFixed(3)}.`,
    blocks: tableOf(
      "Confidence and accuracy",
      [
        ["bin", "Confidence", "text"],
        ["n", "Answers", "count"],
        ["confidence", "Mean confidence", "score"],
        ["accuracy", "Mean partial F1", "score"],
      ],
      calibration.bins.map(({ from, to, n, confidence, accuracy }) => ({
        ...{ bin: `${from.toFixed(1)}–${to.toFixed(1)}`, n, confidence, accuracy },
      })),
    ),
  };
}
