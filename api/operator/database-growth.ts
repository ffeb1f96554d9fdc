import type { DatabaseGrowth } from "#shared/contracts/operator/overview.ts";

const DAY_MS = 86_400_000;
/** A date further in the future is meaningless. */
const IN_SIGHT_DAYS = 3_650;
/** Minimum number of points: two always lie on a line. */
const LEAST = 3;

type Sizes = DatabaseGrowth["sizes"];

/**
 * When a database will be full at its current growth: the slope of a least-squares line through daily sizes, starting
 * from the current size. `sizes`: one per day, days may be missing. Linear.
 */
export function databaseGrowth(
  sizes: Sizes,
  bytes: number,
  maxBytes: number,
  now: number,
): DatabaseGrowth {
  const bytesPerDay = sizes.length < LEAST ? null : slopeOf(sizes);
  const days = bytesPerDay === null || bytesPerDay <= 0 ? null : (maxBytes - bytes) / bytesPerDay;
  const isInSight = days !== null && days < IN_SIGHT_DAYS;
  const fullOn = isInSight ? dayOf(now + Math.max(0, days) * DAY_MS) : null;
  return { bytes, maxBytes, bytesPerDay, fullOn, sizes };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, "2026-01-01".length);

function slopeOf(sizes: Sizes): number {
  const xs = sizes.map(({ day }) => Date.parse(day) / DAY_MS);
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x0, y0] = [mean(xs), mean(sizes.map(({ bytes }) => bytes))];
  const products = sizes.map(({ bytes }, i) => (xs[i]! - x0) * (bytes - y0));
  return mean(products) / mean(xs.map((x) => (x - x0) ** 2));
}
