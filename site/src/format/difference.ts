import type { Metric } from "#shared/contracts/metric.ts";
import { formatTick, formatValue } from "./number.ts";

type Format = Metric["format"];

/** Differences that are not on the values' own scale. */
const sizes: Partial<Record<Format, (size: number) => string>> = {
  percent: (size) => `${(size * 100).toFixed(1)}\u202fpp`,
  level: (size) => size.toFixed(2),
};

/** A difference with its sign; of percentages in percentage points (pp), of levels in levels. */
export function formatDifference(value: number | null, format: Format): string {
  if (value === null) return "–";
  const text = sizes[format] ?? ((size: number) => formatValue(size, format));
  const size = text(Math.abs(value));
  return size === text(0) ? size : `${signOf(value)}${size}`;
}

/** Both ends with their signs, so that no dash is taken for a minus. */
export const formatDifferenceInterval = (
  interval: readonly [number, number] | null,
  format: Format,
): string => interval?.map((end) => formatDifference(end, format)).join(" to ") ?? "–";

/** A tick of an axis of differences. */
export function formatDifferenceTick(value: number, format: Format): string {
  const size = Math.abs(value);
  const text =
    format === "percent" ? String(Number((size * 100).toFixed(1))) : formatTick(size, format);
  return `${signOf(value)}${text}`;
}

/** A number with a minus that is as wide as a digit; one that is rounded to 0 has no sign. */
export function formatSigned(value: number | null, digits: number): string {
  if (value === null) return "–";
  const size = Math.abs(value).toFixed(digits);
  return value < 0 && Number(size) !== 0 ? `−${size}` : size;
}

const signOf = (value: number): string => (value > 0 ? "+" : value < 0 ? "−" : "");
