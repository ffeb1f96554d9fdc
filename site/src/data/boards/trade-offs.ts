import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import { paretoFrontier } from "#shared/stats/pareto-frontier.ts";

/** A model's headline with the cost or latency of its answers. */
export interface TradeOff {
  entry: LeaderboardEntry;
  value: number;
  interval: Estimate["interval"];
  /** Latency or cost; less is better. */
  taken: number;
  /** No other model is at least as good on both and better on one. */
  isFrontier: boolean;
}

/** The ranked models that have both figures, in the order of the board; empty if there are fewer than two. */
export function tradeOffs(
  entries: readonly LeaderboardEntry[],
  { better }: Pick<Metric, "better">,
  takes: string,
): TradeOff[] {
  const known = entries.flatMap((entry) => {
    const { value, interval } = entry.headline;
    const taken = entry.metrics[takes]?.value ?? null;
    if (entry.rank === null || value === null || taken === null) return [];
    return [{ entry, value, interval, taken }];
  });
  if (known.length < 2) return [];
  const sign = better === "higher" ? 1 : -1;
  const isOn = paretoFrontier(
    known.map(({ value, taken }) => ({ gain: sign * value, cost: taken })),
  );
  return known.map((one, i) => ({ ...one, isFrontier: isOn[i] === true }));
}
