import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import { figureText, intervalText, tickText } from "#shared/measures/report/figures/figure-text.ts";

type Format = Metric["format"];

/** A number as the site prints it, with its unit; `–` if there is none. */
export const formatValue = (value: number | null | undefined, format: Format): string =>
  figureText(value ?? null, format) ?? "–";

/** Low and high end, the unit once. */
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
