import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { metricIn } from "../report/shown-run.ts";
import { suiteById } from "./suites.ts";

/** A metric's catalogue entry; a plain one for a metric that this build does not know. */
export const metricOf = (suiteId: string, id: string): Metric =>
  metricIn(suiteById(suiteId)?.metrics ?? [], id);

export const suiteLabel = (id: string): string => suiteById(id)?.label ?? id;

/** Metrics on every board, the same two in all catalogues. */
export const latencyMetric = "latencyP95";
export const costMetric = "costPer1kUsd";

/** The parts that a board shows next to its headline, in the order of the suite. */
export function boardParts({ suite, headline }: Pick<Leaderboard, "suite" | "headline">): Metric[] {
  const ids = suiteById(suite)?.boardMetrics ?? [];
  return ids
    .filter((id) => ![headline, latencyMetric, costMetric].includes(id))
    .map((id) => metricOf(suite, id));
}

/** The columns of a board after its headline: its parts, then latency and cost. */
export const boardColumns = (board: Pick<Leaderboard, "suite" | "headline">): Metric[] => [
  ...boardParts(board),
  ...[latencyMetric, costMetric].map((id) => metricOf(board.suite, id)),
];
