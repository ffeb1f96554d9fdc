import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { View } from "#shared/contracts/suite.ts";
import { type BoardMetrics, boardColumns, metricOf } from "../metrics.ts";

/** A metric as a column of a board's table, each value with its interval in numbers. */
export interface BoardColumn {
  metric: Metric;
  /** The interval is drawn, too. */
  isDrawn: boolean;
}

/** The columns of a board: its headline, drawn, then its parts, latency and cost. */
export function mainColumns(board: BoardMetrics): BoardColumn[] {
  const parts = boardColumns(board).map((metric) => ({ metric, isDrawn: false }));
  return [{ metric: metricOf(board.suite, board.headline), isDrawn: true }, ...parts];
}

/** The columns of a view, and its metrics without a column because no entry has them. */
export function viewColumns(
  { suite, headline, entries }: Pick<Leaderboard, "suite" | "headline" | "entries">,
  { metrics }: View,
): { columns: BoardColumn[]; unmeasured: Metric[] } {
  const known = metrics.map((id) => metricOf(suite, id));
  const isMeasured = ({ id }: Metric) =>
    entries.some((entry) => (entry.metrics[id]?.value ?? null) !== null);
  return {
    columns: known
      .filter(isMeasured)
      .map((metric) => ({ metric, isDrawn: metric.id === headline })),
    unmeasured: known.filter((metric) => !isMeasured(metric)),
  };
}
