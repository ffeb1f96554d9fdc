import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { costMetric, latencyMetric, metricIn } from "../report/shown-run.ts";

/** A metric's catalogue entry; a plain one for an unknown metric. */
export const metricOf = (suiteId: string, id: string): Metric =>
  metricIn(suiteById(suiteId)?.metrics ?? [], id);

export const suiteLabel = (id: string): string => suiteById(id)?.label ?? id;

export { costMetric, latencyMetric };

/** The facts that determine a board's columns. */
export type BoardMetrics = Pick<Leaderboard, "suite" | "headline"> &
  Partial<Pick<Leaderboard, "judging">>;

/** The parts shown next to a board's headline: those that its options define, then the suite's, in order. */
export function boardParts({ suite, headline, judging = null }: BoardMetrics): Metric[] {
  const ids = suiteById(suite)?.boardMetrics ?? [];
  const ofSuite = ids.filter((id) => ![headline, latencyMetric, costMetric].includes(id));
  return [...ownMetrics(judging), ...ofSuite.map((id) => metricOf(suite, id))];
}

/** The columns of a board after its headline: its parts, then latency and cost. */
export const boardColumns = (board: BoardMetrics): Metric[] => [
  ...boardParts(board),
  ...[latencyMetric, costMetric].map((id) => metricOf(board.suite, id)),
];
