/** What a model offers and costs: accuracy (more is better), and latency or cost (less is better). */
export interface Trade {
  gain: number;
  cost: number;
}

/**
 * Marks the trades that no other dominates. A trade dominates another if it gains at least as much and costs at most
 * as much, and is strictly better in one. Equal trades are all marked. O(n²).
 * Source: docs/spec/statistics.md, Pareto frontier.
 * @example paretoFrontier([{ gain: 1, cost: 2 }, { gain: 0.5, cost: 3 }]) // [true, false]
 */
export function paretoFrontier(trades: readonly Trade[]): boolean[] {
  const dominates = (a: Trade, b: Trade) =>
    a.gain >= b.gain && a.cost <= b.cost && (a.gain > b.gain || a.cost < b.cost);
  return trades.map((trade) => !trades.some((other) => dominates(other, trade)));
}
