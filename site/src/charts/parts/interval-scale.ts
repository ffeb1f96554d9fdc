import type { Estimate } from "#shared/contracts/metric.ts";
import type { Reference } from "#shared/contracts/suite.ts";

/** A scale that several intervals share, with the ticks of its axis. */
export interface IntervalScale {
  min: number;
  max: number;
  ticks: number[];
  /** Lines drawn across it, from high to low. */
  references?: readonly Reference[];
}

/** The letter that names a reference line on an axis. */
export const referenceSign = (i: number): string => String.fromCharCode("A".charCodeAt(0) + i);

type Measured = Pick<Estimate, "value" | "interval">;

const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const mostTicks = 5;

/** Maximum ticks of an axis that labels only its ends. */
const mostFineTicks = 8;

/** The narrowest round range that contains every interval; 0–1 without intervals. */
export function intervalScale(estimates: readonly Measured[], most = mostTicks): IntervalScale {
  const ends = estimates.flatMap(({ value, interval }) =>
    value === null ? [] : [value, ...(interval ?? [])],
  );
  if (ends.length === 0) return { min: 0, max: 1, ticks: [0, 0.5, 1] };
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const step = steps.find((size) => span(low, high, size) <= most - 1) ?? 0.25;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * step));
  return { min: round(first * step), max: round(last * step), ticks };
}

/** Number of leading entries whose intervals must be readable on the axis. */
const leading = 10;

/** Typical intervals that fill the axis: each is about a dozen pixels wide. */
const mostWidths = 9;

/**
 * A scale on which the intervals of the leading entries are readable: it contains the values near the first, so distant
 * values and the ends of wide intervals may be beyond it. It contains all values if the intervals stay wide enough.
 */
export function leadingScale(estimates: readonly Measured[]): IntervalScale {
  const measured = estimates.filter(({ value }) => value !== null);
  const widths = measured
    .slice(0, leading)
    .flatMap(({ interval }) => (interval ? [interval[1] - interval[0]] : []))
    .filter((width) => width > 0)
    .sort((a, b) => a - b);
  const usual = widths[Math.floor(widths.length / 2)];
  const whole = intervalScale(measured, mostFineTicks);
  const first = measured[0]?.value ?? null;
  if (usual === undefined || first === null) return whole;
  if (whole.max - whole.min <= 1.5 * mostWidths * usual) return whole;
  const reach = (mostWidths - 1) * usual;
  const within = (end: number) => Math.min(first + reach, Math.max(first - reach, end));
  const near = measured.filter(({ value }) => Math.abs((value ?? 0) - first) <= reach);
  return intervalScale(
    near.map(({ value, interval }) => ({
      value,
      interval: interval && [within(interval[0]), within(interval[1])],
    })),
    mostFineTicks,
  );
}

/** The ticks that are labelled and drawn: both ends, and the middle if there is one. */
export function namedTicks({ ticks }: IntervalScale): number[] {
  const middle = ticks.length % 2 === 1 ? ticks[(ticks.length - 1) / 2] : undefined;
  return [...new Set([ticks[0], middle, ticks.at(-1)])].filter((tick) => tick !== undefined);
}

/** Which end of a scale a value is beyond; null if it is within. */
export function sideBeyondScale(
  { min, max }: IntervalScale,
  value: number,
): "below" | "above" | null {
  if (value < min) return "below";
  return value > max ? "above" : null;
}

const span = (low: number, high: number, step: number): number =>
  Math.ceil(high / step - 1e-9) - Math.floor(low / step + 1e-9);

const round = (value: number): number => Number(value.toFixed(6));

/** Position of a value on the scale, in units of the drawing's width, clamped to its ends. */
export function positionOn(
  scale: IntervalScale,
  value: number,
  width: number,
  margin: number,
): number {
  const share = Math.min(1, Math.max(0, (value - scale.min) / (scale.max - scale.min)));
  return Number((margin + share * (width - 2 * margin)).toFixed(1));
}
