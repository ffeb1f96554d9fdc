import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { View } from "#shared/contracts/suite.ts";
import {
  type BoardMetrics,
  boardColumns,
  costMetric,
  latencyMetric,
  metricOf,
} from "../metrics.ts";

/** A metric as a column of a board's table; each value has its interval in numbers. */
export interface BoardColumn {
  metric: Metric;
  /** Whether the interval is also drawn. */
  isDrawn: boolean;
  /**
   * Class of its cells, which narrow windows hide: `k` on phones, `x` below the width of a page, `z` everywhere; a
   * checkbox shows all. Empty: never hidden.
   */
  fold: "" | "k" | "x" | "z";
}

/** Columns of values that fit on a page. */
const mostFitting = 8;

/** Phones show latency and cost below the name. */
const isBelowName = ({ id }: Metric): boolean => id === latencyMetric || id === costMetric;

function asColumns(metrics: readonly Metric[], headline: string): BoardColumn[] {
  const first = metrics.some(({ id }) => id === headline) ? headline : metrics[0]?.id;
  return metrics.map((metric, i) => {
    const narrow = isBelowName(metric) ? "k" : "x";
    const fold = metric.id === first ? "" : i < mostFitting ? narrow : "z";
    return { metric, isDrawn: metric.id === headline, fold };
  });
}

/** The columns of a board: its headline, drawn, then its parts, latency and cost. */
export const mainColumns = (board: BoardMetrics): BoardColumn[] =>
  asColumns([metricOf(board.suite, board.headline), ...boardColumns(board)], board.headline);

/** The columns of a view, and its metrics without a column because no entry has them. */
export function viewColumns(
  { suite, headline, entries }: Pick<Leaderboard, "suite" | "headline" | "entries">,
  { metrics }: View,
): { columns: BoardColumn[]; unmeasured: Metric[] } {
  const known = metrics.map((id) => metricOf(suite, id));
  const isMeasured = ({ id }: Metric) =>
    entries.some((entry) => (entry.metrics[id]?.value ?? null) !== null);
  return {
    columns: asColumns(known.filter(isMeasured), headline),
    unmeasured: known.filter((metric) => !isMeasured(metric)),
  };
}

const shortHeads: Readonly<Record<string, string>> = {
  [latencyMetric]: "p95",
  [costMetric]: "$ / 1,000",
};

/** The name of a metric as a column head on one line; its definition has the full name. */
export const headOf = ({ id, label, short }: Pick<Metric, "id" | "label" | "short">): string =>
  shortHeads[id] ?? short ?? label.replace(/ of samples$| rate$/, "");
