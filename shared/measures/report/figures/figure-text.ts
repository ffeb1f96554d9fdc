import type { Metric } from "../../../contracts/metric.ts";

type Format = Metric["format"];

const thousands = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
// Below a dollar three significant digits: a call costs a fraction of a cent.
const fractions = new Intl.NumberFormat("en", {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** A whole number; most are small and need no slow number formatting. */
const whole = (value: number): string => {
  const rounded = Math.round(value);
  return rounded < 1000 ? String(rounded) : thousands.format(rounded);
};

/** Below this, three decimals would show nothing. */
const leastShown = 0.001;

const isWholeCents = (usd: number): boolean => Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-9;

/** Means of counts: enough decimals to distinguish them, and equal decimals for values of similar size. */
const partCount = (value: number, size: number): string => {
  if (size >= 1) return tenths.format(value);
  return size >= leastShown || size === 0 ? value.toFixed(3) : small.format(value);
};

const countDigits = (value: number): string =>
  Number.isInteger(value) ? whole(value) : partCount(value, value);

/** `more`: further decimals, of formats whose number of decimals is fixed. */
const digits: Readonly<Record<Format, (value: number, more?: number) => string>> = {
  score: (value, more = 0) => value.toFixed(3 + more),
  percent: (value, more = 0) => (value * 100).toFixed(1 + more),
  level: (value, more = 0) => value.toFixed(2 + more),
  ms: (value) => (value < 10 ? fine.format(value) : whole(value)),
  count: countDigits,
  usd: (value) => (value >= 1 || isWholeCents(value) ? cents : fractions).format(value),
};

const units: Readonly<Record<Format, readonly [before: string, after: string]>> = {
  score: ["", ""],
  level: ["", "/5"],
  count: ["", ""],
  percent: ["", "%"],
  ms: ["", "\u202fms"],
  usd: ["$", ""],
};

/** Differences whose unit is not that of the values: percentage points, and levels. */
const sizes: Partial<Readonly<Record<Format, (size: number) => string>>> = {
  percent: (size) => `${digits.percent(size)}\u202fpp`,
  level: (size) => digits.level(size),
};

const isNothing = (text: string): boolean => !/[1-9]/.test(text);
const withMinus = (value: number, text: string): string =>
  value < 0 && !isNothing(text) ? `\u2212${text}` : text;

/**
 * A figure with its unit, as every report, page and badge prints it: scores with 3 decimals, shares in percent with
 * 1, levels with 2; milliseconds and counts grouped by thousands; dollars with cents, or with 3 digits below one
 * dollar. Minus signs are typographic; values that round to 0 have none. Null without a value.
 * @example figureText(0.125, "percent") // "12.5%"
 * @example figureText(0.02583, "usd") // "$0.0258"
 */
export function figureText<Value extends number | null>(
  value: Value,
  format: Format,
): string | (Value & null) {
  if (value === null) return null as Value & null;
  const [before, after] = units[format];
  return withMinus(value, `${before}${digits[format](Math.abs(value))}${after}`);
}

/** Decimals that are added to distinguish the ends of an interval, as few as possible. */
const moreDecimals = [0, 1, 2, 3] as const;

/**
 * The ends of an interval with one unit. If one is negative, "to" is between them, because a dash next to a minus
 * sign is hard to read. Ends that differ never look equal: they get more decimals. Null without an interval.
 * @example intervalText([0.1, 0.25]) // "0.100–0.250"
 * @example intervalText([-0.1, 0.25]) // "−0.100 to 0.250"
 * @example intervalText([0.1, 0.25], "percent") // "10.0–25.0%"
 * @example intervalText([0, 0.0004], "percent") // "0.00–0.04%"
 */
export function intervalText<Interval extends readonly [number, number] | null>(
  interval: Interval,
  format: Format = "score",
): string | (Interval & null) {
  if (interval === null) return null as Interval & null;
  const [before, after] = units[format];
  const ends = (more: number) =>
    interval.map((end) =>
      withMinus(end, `${before}${endDigits(Math.abs(end), interval, format, more)}`),
    );
  const isApart = ([a, b]: readonly string[]) => a !== b;
  const [low, high] = moreDecimals.map(ends).find(isApart) ?? ends(0);
  return `${low}${interval[0] < 0 || interval[1] < 0 ? " to " : "–"}${high}${after}`;
}

/**
 * The ends of an interval without their unit, for use next to a value with the unit. Null without an interval.
 * @example boundsText([0.1, 0.25], "percent") // "10.0–25.0"
 */
export function boundsText(
  interval: readonly [number, number] | null,
  format: Format,
): string | null {
  const [, after] = units[format];
  const text = intervalText(interval, format);
  return text?.endsWith(after) ? text.slice(0, text.length - after.length) : text;
}

/** Both ends of an interval of means have the decimals of the larger one. */
function endDigits(
  end: number,
  [low, high]: readonly [number, number],
  format: Format,
  more: number,
): string {
  const isMean = format === "count" && !(Number.isInteger(low) && Number.isInteger(high));
  return isMean
    ? partCount(end, Math.max(Math.abs(low), Math.abs(high)))
    : digits[format](end, more);
}

/**
 * The difference of two values with its sign; of shares in percentage points (pp), of levels in levels.
 * @example differenceText(-0.125, "percent") // "−12.5 pp"
 * @example differenceText(0.125, "score") // "+0.125"
 */
export function differenceText(difference: number, format: Format): string {
  const size = Math.abs(difference);
  const text = sizes[format]?.(size) ?? figureText(size, format);
  if (isNothing(text)) return text;
  return `${difference < 0 ? "\u2212" : "+"}${text}`;
}

/**
 * A plain number with a fixed number of decimals, such as an effect size.
 * @example decimalText(-0.0004, 3) // "0.000"
 */
export function decimalText(value: number, decimals: number): string {
  return withMinus(value, Math.abs(value).toFixed(decimals));
}

/**
 * A round number, such as a limit or an axis tick, as short as possible.
 * @example tickText(0.75, "score") // "0.75"
 * @example tickText(0.75, "percent") // "75%"
 */
export function tickText(value: number, format: Format): string {
  if (format === "percent")
    return withMinus(value, `${Number((Math.abs(value) * 100).toFixed(1))}%`);
  if (format === "usd") return withMinus(value, `$${Number(Math.abs(value).toPrecision(6))}`);
  if (format !== "score" && format !== "level") return figureText(value, format);
  return withMinus(value, String(Number(Math.abs(value).toFixed(3))));
}

/**
 * A p-value as printed everywhere: never 0, because no p is; `–` without a test.
 * @example pText(0.0461) // "0.046"
 * @example pText(0.0000012) // "<0.001"
 */
export function pText(p: number | null, digits = 3): string {
  if (p === null) return "–";
  const least = 10 ** -digits;
  return p < least ? `<${least.toFixed(digits)}` : p.toFixed(digits);
}

/**
 * A p-value in a sentence.
 * @example pSays(0.0461) // "p = 0.046"
 * @example pSays(0.0000012) // "p < 0.001"
 */
export function pSays(p: number, sign: "=" | "≤" = "="): string {
  const text = pText(p);
  return text.startsWith("<") ? `p < ${text.slice(1)}` : `p ${sign} ${text}`;
}

/**
 * Names in a sentence, at most `most` of them; empty without names. Linear.
 * @example listed(["a", "b", "c", "d"], 2) // "a, b and 2 more"
 */
export function listed(names: readonly string[], most = names.length): string {
  const shown = names.slice(0, most);
  if (names.length > most) shown.push(`${names.length - most} more`);
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
