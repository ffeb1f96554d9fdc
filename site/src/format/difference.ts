import type { Metric } from "#shared/contracts/metric.ts";
import { decimalText, differenceText } from "#shared/measures/report/figures/figure-text.ts";
import { formatCount, formatTick } from "./number.ts";

type Format = Metric["format"];

/** A difference with its sign; of percentages in percentage points (pp), of levels in levels. */
export const formatDifference = (value: number | null, format: Format): string =>
  value === null ? "–" : differenceText(value, format);

/** Both ends with their signs, so that a dash is not read as a minus. */
export const formatDifferenceInterval = (
  interval: readonly [number, number] | null,
  format: Format,
): string => interval?.map((end) => formatDifference(end, format)).join(" to ") ?? "–";

/** A tick of an axis of differences. */
export function formatDifferenceTick(value: number, format: Format): string {
  const size = Math.abs(value);
  const text =
    format === "percent" ? String(Number((size * 100).toFixed(1))) : formatTick(size, format);
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${text}`;
}

/** A number with a minus that is as wide as a digit. */
export const formatSigned = (value: number | null, digits: number): string =>
  value === null ? "–" : decimalText(value, digits);

/** The number of tests for which p-values are corrected, as part of a sentence. */
export const testFamily = (tests: number): string =>
  tests === 1
    ? "not corrected: one comparison"
    : `corrected for ${formatCount(tests)} comparisons by Holm`;
