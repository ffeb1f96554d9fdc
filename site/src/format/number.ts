import type { Metric } from "#shared/contracts/metric.ts";
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
