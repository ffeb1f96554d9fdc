import type { Metric } from "#shared/contracts/metric.ts";

type Format = Metric["format"];

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const usd = (value: number): string =>
  Math.abs(value) >= 1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);

const digits: Record<Format, (value: number) => string> = {
  score: (value) => value.toFixed(3),
  percent: (value) => (value * 100).toFixed(1),
  level: (value) => value.toFixed(2),
  ms: (value) => (value < 10 ? fine : grouped).format(value),
  count: (value) =>
    (Number.isInteger(value) ? grouped : Math.abs(value) < 1 ? small : fine).format(value),
  usd,
};

const marks: Record<Format, { before: string; after: string }> = {
  score: { before: "", after: "" },
  percent: { before: "", after: "%" },
  level: { before: "", after: "/5" },
  ms: { before: "", after: "\u202fms" },
  count: { before: "", after: "" },
  usd: { before: "$", after: "" },
};

/** A number as the site prints it, with its unit; `–` where there is none. */
export function formatValue(value: number | null | undefined, format: Format): string {
  if (value === null || value === undefined) return "–";
  const { before, after } = marks[format];
  const size = digits[format](Math.abs(value));
  // What is rounded to 0 has no sign.
  const sign = value < 0 && /[1-9]/.test(size) ? "\u2212" : "";
  return `${sign}${before}${size}${after}`;
}

/** Low and high end, the unit once; with negative ends in words, since a dash would be read as a minus. */
export function formatInterval(interval: readonly [number, number] | null, format: Format): string {
  if (!interval) return "–";
  if (interval[0] < 0) return interval.map((end) => formatValue(end, format)).join(" to ");
  const { before, after } = marks[format];
  const [low, high] = interval.map(digits[format]);
  return `${before}${low}–${before}${high}${after}`;
}

export const formatCount = (value: number): string => grouped.format(value);

export const formatShare = (ratio: number): string => formatValue(ratio, "percent");

/** A tick of an axis: as short as the number allows. */
export function formatTick(value: number, format: Format): string {
  if (format === "percent") return `${Number((value * 100).toFixed(1))}%`;
  if (format === "score" || format === "level") return String(Number(value.toFixed(2)));
  return formatValue(value, format);
}
