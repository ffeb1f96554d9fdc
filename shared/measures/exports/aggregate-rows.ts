import type { AggregateRow } from "../../contracts/boards/aggregate-row.ts";
import type { Json } from "../../contracts/json.ts";
import type { Metric } from "../../contracts/metric.ts";
import type { Run } from "../../contracts/run.ts";
import { breakdownCells } from "./breakdown-cells.ts";

/**
 * All that was summed up of a run, row by row: its metrics in the catalogue's order, those that the catalogue
 * lacks after them, then the cells of the breakdown, each with unit and definition where it is a metric's over a
 * part of the run. None of a run that has not finished. Linear.
 * @example [...aggregateRows(run, suite.metrics)][0]?.id // suite.headline
 */
export function* aggregateRows(
  { metrics, breakdown }: Pick<Run, "metrics" | "breakdown">,
  catalogue: readonly Metric[],
): Generator<AggregateRow> {
  const known = new Map(catalogue.map((metric) => [metric.id, metric]));
  for (const id of new Set([...known.keys(), ...Object.keys(metrics ?? {})])) {
    const estimate = metrics?.[id];
    if (estimate === undefined) continue;
    const { value, interval, n, coverage, grade = null } = estimate;
    const [low, high] = interval ?? [null, null];
    const label = known.get(id)?.label ?? id;
    yield {
      kind: "metric",
      id,
      label,
      value,
      low,
      high,
      n,
      coverage,
      ...described(known.get(id)),
      grade,
    };
  }
  for (const { key, ...cell } of breakdownCells((breakdown ?? null) as Json)) {
    const metric = typeof cell.value === "number" ? known.get(key) : undefined;
    yield { kind: "cell", ...cell, coverage: null, ...described(metric), grade: null };
  }
}

const described = (metric: Metric | undefined) => ({
  unit: metric?.unit ?? null,
  better: metric?.better ?? null,
  definition: metric?.definition ?? null,
});
