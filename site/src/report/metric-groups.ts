import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { metricIn } from "./shown-run.ts";

/** A catalogue entry with the run's value. */
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

/**
 * Measured metrics in catalogue order; metrics that are not in the catalogue come last. Metrics without samples are
 * omitted, such as judged metrics of an unjudged run; the headline stays.
 */
function measured({ run, suite }: Pick<RunReport, "run" | "suite">): MeasuredMetric[] {
  const metrics = run.metrics ?? {};
  const ids = new Set([...suite.metrics.map(({ id }) => id), ...Object.keys(metrics)]);
  return [...ids].flatMap((id) => {
    const estimate = metrics[id];
    if (!estimate || (id !== run.headline && estimate.value === null && estimate.n === 0)) {
      return [];
    }
    return [{ metric: metricIn(suite.metrics, id), estimate }];
  });
}

/** A run's metrics: first those that rank, are on boards or have a grade, then all others by unit. */
export function metricGroups(report: Pick<RunReport, "run" | "suite">) {
  const rows = measured(report);
  const named = new Set([report.run.headline, ...report.suite.boardMetrics]);
  const isKey = ({ metric, estimate }: MeasuredMetric) =>
    named.has(metric.id) || estimate.grade !== undefined;
  const others = Map.groupBy(
    rows.filter((row) => !isKey(row)),
    ({ metric }) => metric.unit,
  );
  return {
    key: rows.filter(isKey),
    others: [...others].map(([unit, group]) => ({ title: groupTitles[unit], rows: group })),
  };
}
