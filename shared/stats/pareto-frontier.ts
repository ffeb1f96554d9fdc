/** A model's accuracy (more is better), and its latency or cost (less is better). */
export interface Trade {
  gain: number;
  cost: number;
}

/** Differences up to this share are rounding errors, because the mean of the same scores depends on their order. */
const ROUNDING = 1e-12;

/**
 * Marks the trades that no other dominates. A trade dominates another if it gains at least as much and costs at most
 * as much, and is strictly better in one. Equal trades are all marked. O(n²).
 * Source: docs/spec/statistics.md, Pareto frontier.
 * @example paretoFrontier([{ gain: 1, cost: 2 }, { gain: 0.5, cost: 3 }]) // [true, false]
 */
export function paretoFrontier(trades: readonly Trade[]): boolean[] {
  const dominates = (a: Trade, b: Trade) => {
    const [gained, saved] = [over(a.gain, b.gain), over(b.cost, a.cost)];
    return gained >= 0 && saved >= 0 && gained + saved > 0;
  };
  return trades.map((trade) => !trades.some((other) => dominates(other, trade)));
}

/** The sign of a − b. */
const over = (a: number, b: number): number =>
  Math.abs(a - b) <= ROUNDING * Math.max(1, Math.abs(a)) ? 0 : Math.sign(a - b);
