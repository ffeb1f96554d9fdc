import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { View } from "#shared/contracts/suite.ts";
import { boardColumns, metricOf } from "./metrics.ts";

/** A metric as a column of a board's table. */
export interface BoardColumn {
  metric: Metric;
  /** Beside the value: the interval as a drawing and in numbers, in numbers, or nothing. */
  shows: "drawn" | "interval" | "value";
}

/** The columns of a board: its headline with the interval, then values. */
export function mainColumns(board: Pick<Leaderboard, "suite" | "headline">): BoardColumn[] {
  const parts = boardColumns(board).map((metric) => ({ metric, shows: "value" as const }));
  return [{ metric: metricOf(board.suite, board.headline), shows: "drawn" }, ...parts];
}

/**
 * The columns of a view, with intervals, and the metrics of it that none of the entries has, which get no
 * column.
 */
export function viewColumns(
  { suite, headline, entries }: Pick<Leaderboard, "suite" | "headline" | "entries">,
  { metrics }: View,
): { columns: BoardColumn[]; unmeasured: Metric[] } {
  const known = metrics.map((id) => metricOf(suite, id));
  const isMeasured = ({ id }: Metric) =>
    entries.some((entry) => (entry.metrics[id]?.value ?? null) !== null);
  const columns = known.filter(isMeasured).map((metric) => ({
    metric,
    shows: metric.id === headline ? ("drawn" as const) : ("interval" as const),
  }));
  return { columns, unmeasured: known.filter((metric) => !isMeasured(metric)) };
}
