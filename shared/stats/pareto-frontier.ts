/** What a model gives and what it takes: accuracy (more is better), latency or cost (less is better). */
export interface Trade {
  gain: number;
  cost: number;
}

/**
 * Which of the trades no other dominates: another dominates that gains at least as much and costs at
 * most as much, one of the two strictly. Equal trades are adjacent. O(n²).
 * Source: docs/spec/statistics.md, Pareto frontier.
 * @example paretoFrontier([{ gain: 1, cost: 2 }, { gain: 0.5, cost: 3 }]) // [true, false]
 */
export function paretoFrontier(trades: readonly Trade[]): boolean[] {
  const dominates = (a: Trade, b: Trade) =>
    a.gain >= b.gain && a.cost <= b.cost && (a.gain > b.gain || a.cost < b.cost);
  return trades.map((trade) => !trades.some((other) => dominates(other, trade)));
}
