import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import {
  decimalText,
  differenceText,
  figureText,
  intervalText,
  tickText,
} from "#shared/measures/report/figures/figure-text.ts";

type Format = Metric["format"];

/** A number with its unit as the site prints it; `–` if there is none. */
export const formatValue = (value: number | null | undefined, format: Format): string =>
  figureText(value ?? null, format) ?? "–";

/** Both ends of an interval, with the unit once. */
export const formatInterval = (
  interval: readonly [number, number] | null,
  format: Format,
): string => intervalText(interval, format) ?? "–";

export const formatCount = (value: number): string => figureText(Math.round(value), "count");

export const formatShare = (ratio: number): string => figureText(ratio, "percent");

/** A tick of an axis: as short as the number allows. */
export const formatTick = tickText;

/**
 * A score with its interval, for descriptions of pages.
 * @example scoreText({ label: "EQS", format: "score" }, { value: 0.967, interval: [0.93, 0.99] }) // "EQS 0.967 (95% interval 0.930–0.990)"
 */
export function scoreText(
  { label, format }: Pick<Metric, "label" | "format">,
  { value, interval }: Pick<Estimate, "value" | "interval">,
): string {
  if (value === null) return `${label} not measured`;
  const text = `${label} ${formatValue(value, format)}`;
  return interval === null ? text : `${text} (95% interval ${formatInterval(interval, format)})`;
}

/** A difference with its sign; percentages in percentage points (pp), levels in levels. */
export const formatDifference = (value: number | null, format: Format): string =>
  value === null ? "–" : differenceText(value, format);

/** Both ends with their signs, so that a dash is not read as a minus. */
export const formatDifferenceInterval = (
  interval: readonly [number, number] | null,
  format: Format,
): string => interval?.map((end) => formatDifference(end, format)).join(" to ") ?? "–";

export function formatDifferenceTick(value: number, format: Format): string {
  const size = Math.abs(value);
  const text =
    format === "percent" ? String(Number((size * 100).toFixed(1))) : formatTick(size, format);
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${text}`;
}

/** A number with a minus sign that is as wide as a digit. */
export const formatSigned = (value: number | null, digits: number): string =>
  value === null ? "–" : decimalText(value, digits);

/** The number of tests for which p-values are corrected, as part of a sentence. */
export const testFamily = (tests: number): string =>
  tests === 1
    ? "not corrected: one comparison"
    : `corrected for ${formatCount(tests)} comparisons by Holm`;
