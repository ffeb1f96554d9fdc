import type { Reading } from "../../../measures/report/reading.ts";
import { gradeScales, thresholds } from "../thresholds.ts";

const held = thresholds.map(
  ({ metric, label, format, minimum, target, excellence }): Reading => ({
    metric,
    label,
    format,
    limits: { minimum, target, excellence },
  }),
);

/**
 * How the suite reads its metrics: those with thresholds, and exact match, which has letters alone.
 * Source: docs/spec/extraction.md, section 6.
 */
export const extractionReadings: readonly Reading[] = held.toSpliced(3, 0, {
  metric: "exactMatch",
  format: "percent",
  limits: null,
  letters: gradeScales["exactMatch"]!.limits,
});
