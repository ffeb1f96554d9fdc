import type { Metric } from "../../contracts/metric.ts";

type Format = Metric["format"];

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

const digits: Readonly<Record<Format, (value: number) => string>> = {
  score: (value) => value.toFixed(3),
  percent: (value) => (value * 100).toFixed(1),
  level: (value) => value.toFixed(2),
  ms: (value) => grouped.format(value),
  count: (value) => (Number.isInteger(value) ? grouped : fine).format(value),
  usd: (value) => value.toPrecision(2),
};

const units: Readonly<Record<Format, readonly [before: string, after: string]>> = {
  ...{ score: ["", ""], level: ["", ""], count: ["", ""] },
  ...{ percent: ["", "%"], ms: ["", " ms"], usd: ["$", ""] },
};

/** Whether a text of digits says more than 0: a value that is rounded to 0 has no sign. */
const isNonZero = (text: string): boolean => /[1-9]/.test(text);

/**
 * A figure within a sentence or a cell of text, with its unit; minus signs are typographic. Null where there
 * is none.
 * @example figureText(0.125, "percent") // "12.5%"
 */
export function figureText<Value extends number | null>(
  value: Value,
  format: Format,
): string | (Value & null) {
  if (value === null) return null as Value & null;
  const [before, after] = units[format];
  const size = digits[format](Math.abs(value));
  return `${value < 0 && isNonZero(size) ? "\u2212" : ""}${before}${size}${after}`;
}

/**
 * How far one value lies from another, with its sign; of shares in points of a hundred.
 * @example differenceText(-0.125, "percent") // "−12.5 points"
 * @example differenceText(0.125, "score") // "+0.125"
 */
export function differenceText(difference: number, format: Format): string {
  const text = figureText(difference, format);
  const signed = difference < 0 || !isNonZero(text) ? text : `+${text}`;
  return format === "percent" ? signed.replace("%", " points") : signed;
}
