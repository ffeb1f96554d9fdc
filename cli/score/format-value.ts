import type { Metric } from "#shared/contracts/metric.ts";

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

const formats: Record<Metric["format"], (value: number) => string> = {
  score: (value) => value.toFixed(3),
  percent: (value) => `${(value * 100).toFixed(1)}%`,
  level: (value) => `${value.toFixed(2)}/5`,
  ms: (value) => `${(value < 10 ? fine : grouped).format(value)} ms`,
  count: (value) => (Math.abs(value) < 1 ? small : fine).format(value),
  usd: (value) => `$${Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(2)}`,
};

/** A number as the terminal shows it, with its unit; `–` where there is none. */
export function formatValue(value: number | null, format: Metric["format"]): string {
  if (value === null) return "–";
  const size = formats[format](Math.abs(value));
  // What is rounded to 0 has no sign.
  return value < 0 && /[1-9]/.test(size.replace("/5", "")) ? formats[format](value) : size;
}

/** A whole number, its digits grouped. */
export const formatCount = (value: number): string => grouped.format(value);

/** @example counted(2, "sample") // "2 samples" */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`;
}
