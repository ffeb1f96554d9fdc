import type { Metric } from "#shared/contracts/metric.ts";
import { formatValue } from "../terminal/text.ts";

/** Format of differences that are not on the values' own scale. */
const sizes: Partial<Record<Metric["format"], (one: number) => string>> = {
  percent: (one) => `${(one * 100).toFixed(1)} pp`,
  level: (one) => one.toFixed(2),
};

/** An effect size; a rounded 0 has no sign. */
export function sizeText(value: number | null): string {
  if (value === null) return "–";
  const text = value.toFixed(2);
  return Number(text) === 0 ? (0).toFixed(2) : text;
}

/** A difference with its sign, for percentages in percentage points (pp), for levels in levels. */
export function differenceText(value: number, format: Metric["format"]): string {
  const size = sizes[format] ?? ((one: number) => formatValue(one, format));
  const text = size(Math.abs(value));
  if (text === size(0)) return text;
  return `${value > 0 ? "+" : "-"}${text}`;
}

type Ends = readonly [number, number];

/** The ends of an interval; empty if there is none. */
export function intervalText(ends: Ends | null, format: Metric["format"]): string {
  return ends === null ? "" : ends.map((end) => formatValue(end, format)).join(" – ");
}

/** The ends of an interval of a difference; empty if there is none. */
export function differenceIntervalText(ends: Ends | null, format: Metric["format"]): string {
  return ends === null ? "" : ends.map((end) => differenceText(end, format)).join(" to ");
}

/** Ranks from best to worst; a single one if they are equal. */
export function ranksText([best, worst]: Ends): string {
  const [from, to] = [formatValue(best, "count"), formatValue(worst, "count")];
  return from === to ? from : `${from} – ${to}`;
}
