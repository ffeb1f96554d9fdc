import { addTo, type CompensatedSums, noSums, sumOf } from "./compensated-sum.ts";

/** Counts of values 0–1: to nine decimals while few are distinct, else to three (truncated). */
export interface UnitSpread {
  /** By value · 10⁹. */
  counts: Record<number, number>;
  coarse: boolean;
  /** Number of distinct values, while they are counted to nine decimals. */
  different: number;
  n: number;
  sum: CompensatedSums;
}

/** With more distinct values than this, they are counted in thousandths. */
const mostValues = 2_000;
const fineSteps = 1e9;
const coarseStep = 1e6;

/**
 * An empty spread.
 * @example spreadMean(noSpread()) // null
 */
export function noSpread(): UnitSpread {
  return { counts: {}, coarse: false, different: 0, n: 0, sum: noSums() };
}

/**
 * Counts one value, 0–1.
 * @example addValue(spread, 0.85)
 */
export function addValue(spread: UnitSpread, value: number): void {
  const key = Math.round(value * fineSteps);
  const at = spread.coarse ? key - (key % coarseStep) : key;
  const known = spread.counts[at];
  spread.counts[at] = (known ?? 0) + 1;
  spread.n++;
  addTo(spread.sum, value);
  if (known === undefined && !spread.coarse && ++spread.different > mostValues) coarsen(spread);
}

function coarsen(spread: UnitSpread): void {
  const counts: Record<number, number> = {};
  for (const [key, count] of Object.entries(spread.counts)) {
    const at = Number(key) - (Number(key) % coarseStep);
    counts[at] = (counts[at] ?? 0) + count;
  }
  spread.counts = counts;
  spread.coarse = true;
  spread.different = 0;
}

/**
 * The mean, 0–1; null without values.
 * @example spreadMean(spread) // 0.85
 */
export function spreadMean(spread: UnitSpread): number | null {
  return spread.n === 0 ? null : sumOf(spread.sum) / spread.n;
}

/**
 * The median, 0–1, to nine decimals, or within 0.0005 if values are counted in thousandths; null without values.
 * @example spreadMedian(spread) // 0.85
 */
export function spreadMedian(spread: UnitSpread): number | null {
  if (spread.n === 0) return null;
  const middle = coarseMiddle(spread);
  const at = (rank: number) => {
    let passed = 0;
    const key = Object.keys(spread.counts).find((one) => {
      passed += spread.counts[Number(one)]!;
      return passed > rank;
    });
    return Math.min(1, (Number(key) + middle) / fineSteps);
  };
  return (at(Math.floor((spread.n - 1) / 2)) + at(Math.ceil((spread.n - 1) / 2))) / 2;
}

function coarseMiddle(spread: UnitSpread): number {
  return spread.coarse ? coarseStep / 2 : 0;
}

/**
 * Number of values of at least `limit` (three decimals).
 * @example countFrom(spread, 0.85)
 */
export function countFrom(spread: UnitSpread, limit: number): number {
  const from = Math.round(limit * fineSteps);
  return Object.entries(spread.counts).reduce(
    (sum, [key, count]) => sum + (Number(key) >= from ? count : 0),
    0,
  );
}

/**
 * Counts in `bins` equal bins of 0–1; a bin includes its lower end, the last bin also 1. `bins` divides 1,000.
 * @example histogram(spread, 20)[19] // values from 0.95
 */
export function histogram(spread: UnitSpread, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const [key, count] of Object.entries(spread.counts)) {
    counts[Math.min(bins - 1, Math.floor((Number(key) * bins) / fineSteps))]! += count;
  }
  return counts;
}

/**
 * Every value, ascending, as often as it was counted; if counted in thousandths, the middle of the thousandth.
 * @example spreadValues(spread) // [0.25, 0.5, 0.5]
 */
export function spreadValues(spread: UnitSpread): number[] {
  const middle = coarseMiddle(spread);
  return Object.entries(spread.counts).flatMap(([key, count]) =>
    new Array<number>(count).fill(Math.min(1, (Number(key) + middle) / fineSteps)),
  );
}
