import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { paretoFrontier } from "#shared/stats/pareto-frontier.ts";
import type { ModelPoint } from "../../charts/parts/model-names.ts";

/**
 * The ranked models by headline (`y`) and the latency or cost of their answers (`x`, lower is better), if they have
 * both, in the order of the board; empty if there are fewer than two. On the frontier, no other model is at least as
 * good on both and better on one.
 */
export function tradeOffs(
  entries: readonly LeaderboardEntry[],
  { better }: Pick<Metric, "better">,
  takes: string,
): ModelPoint[] {
  const known = entries.flatMap(({ rank, headline, metrics, model: { name: label } }) => {
    const { value: y, interval } = headline;
    const { value: x = null, interval: bounds = null } = metrics[takes] ?? {};
    return rank === null || y === null || x === null ? [] : [{ label, x, y, interval, bounds }];
  });
  if (known.length < 2) return [];
  const sign = better === "higher" ? 1 : -1;
  const isOn = paretoFrontier(known.map(({ x, y }) => ({ gain: sign * y, cost: x })));
  return known.map((one, i) => ({ ...one, isFrontier: isOn[i] === true }));
}
