import type { Estimate } from "#shared/contracts/metric.ts";

/** A scale that several intervals share, with the ticks of its axis. */
export interface IntervalScale {
  min: number;
  max: number;
  ticks: number[];
}

const steps = [0.01, 0.02, 0.05, 0.1, 0.2];
const mostTicks = 5;

/** The narrowest round range that holds every interval; 0–1 where there is nothing to hold. */
export function intervalScale(
  estimates: readonly Pick<Estimate, "value" | "interval">[],
): IntervalScale {
  const ends = estimates.flatMap(({ value, interval }) =>
    value === null ? [] : [value, ...(interval ?? [])],
  );
  if (ends.length === 0) return { min: 0, max: 1, ticks: [0, 0.5, 1] };
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const step = steps.find((size) => span(low, high, size) <= mostTicks - 1) ?? 0.25;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * step));
  return { min: round(first * step), max: round(last * step), ticks };
}

const span = (low: number, high: number, step: number): number =>
  Math.ceil(high / step - 1e-9) - Math.floor(low / step + 1e-9);

const round = (value: number): number => Number(value.toFixed(6));

/** Where a value stands on the scale, in units of the drawing's width. */
export function place(scale: IntervalScale, value: number, width: number, margin: number): number {
  const share = (value - scale.min) / (scale.max - scale.min);
  return Number((margin + share * (width - 2 * margin)).toFixed(1));
}
