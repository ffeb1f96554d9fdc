import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { suiteById } from "./suites.ts";

/** A catalogue entry with what a run measured of it. */
export interface MeasuredMetric {
  metric: Metric;
  estimate: Estimate;
}

const groupTitles: Record<Metric["unit"], string> = {
  ratio: "Scores and rates",
  level: "Levels, 1–5",
  ms: "Time",
  count: "Counts",
  tokens: "Tokens",
  usd: "Cost",
};

/** A metric's catalogue entry; a plain one for a metric that this build does not know. */
export function metricOf(suiteId: string, id: string): Metric {
  return (
    suiteById(suiteId)?.metrics.find((metric) => metric.id === id) ?? {
      id,
      label: id,
      unit: "ratio",
      better: "higher",
      format: "score",
      definition: "",
    }
  );
}

export const suiteLabel = (id: string): string => suiteById(id)?.label ?? id;

/**
 * Measured metrics in catalogue order; those that this build does not know come last. What rests on no
 * sample is left out, such as what judges would have given to a run that nobody judged; the headline stays.
 */
function measured(
  { suite, headline }: Pick<Run, "suite" | "headline">,
  metrics: Record<string, Estimate>,
): MeasuredMetric[] {
  const known = suiteById(suite)?.metrics.map(({ id }) => id) ?? [];
  const ids = new Set([...known, ...Object.keys(metrics)]);
  return [...ids].flatMap((id) => {
    const estimate = metrics[id];
    if (!estimate || (id !== headline && estimate.value === null && estimate.n === 0)) return [];
    return [{ metric: metricOf(suite, id), estimate }];
  });
}

/** A run's metrics for its summary: what ranks or is graded, and all others by unit. */
export function summaryOf(run: Pick<Run, "suite" | "headline">, metrics: Record<string, Estimate>) {
  const rows = measured(run, metrics);
  const isKey = ({ metric, estimate }: MeasuredMetric) =>
    metric.id === run.headline || estimate.grade !== undefined;
  const others = Map.groupBy(
    rows.filter((row) => !isKey(row)),
    ({ metric }) => metric.unit,
  );
  return {
    key: rows.filter(isKey),
    others: [...others].map(([unit, group]) => ({ title: groupTitles[unit], rows: group })),
  };
}

/** What every board shows, whatever its suite: the same two metrics in all catalogues. */
export const latencyMetric = "latencyP95";
export const costMetric = "costPer1kUsd";

/** The parts that a board shows beside its headline, as its suite orders them. */
export function boardParts({ suite, headline }: Pick<Leaderboard, "suite" | "headline">): Metric[] {
  const ids = suiteById(suite)?.boardMetrics ?? [];
  return ids
    .filter((id) => ![headline, latencyMetric, costMetric].includes(id))
    .map((id) => metricOf(suite, id));
}

/** The columns of a board beside its headline: its parts, then latency and cost. */
export const boardColumns = (board: Pick<Leaderboard, "suite" | "headline">): Metric[] => [
  ...boardParts(board),
  ...[latencyMetric, costMetric].map((id) => metricOf(board.suite, id)),
];
