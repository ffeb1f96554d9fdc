import { effectiveUnits } from "../../stats/significance/paired-tests.ts";
import type { ScoreTable, TableColumn } from "./score-table.ts";

/** Scores of several runs on their common samples, with the units of the tests. */
export interface CommonSamples {
  ids: string[];
  /** By run: one metric by sample. */
  columns: TableColumn[];
  /** By run: the columns from which its value over samples is computed: the metric's own, or a composite's parts. */
  parts: TableColumn[][];
  units: { kind: "samples" | "clusters"; count: number; effective?: number };
  /** Share of the samples in each unit; null if all shares are equal. */
  weights: Float64Array | null;
  /** Unit of each sample, from 0. */
  unitOf: Int32Array;
}

/** Shares closer than this are equal. */
const ROUNDING = 1e-9;

/** Column of a metric that a run lacks. */
const noValues: TableColumn = { of: new Float64Array(0), over: null };

/**
 * The samples with a value of `metric` (and of all `parts` of a composite) in every run, in the order of the table.
 * With clusters, samples of one source are one unit. Linear in all values.
 * Source: docs/spec/statistics.md, two models on the same samples; bootstrap interval.
 * @example commonSamples(table, "eqs").ids.length
 */
export function commonSamples(
  table: ScoreTable,
  metric: string,
  parts: readonly string[] = [metric],
): CommonSamples {
  const columnOf = ({ columns }: ScoreTable["runs"][number], id: string) => columns[id] ?? noValues;
  const needed = table.runs.flatMap((run) => [metric, ...parts].map((id) => columnOf(run, id).of));
  const isCommon = (row: number) => needed.every((of) => Number.isFinite(of[row]));
  const ids: string[] = [];
  const rows: number[] = [];
  for (const [id, row] of table.rows) {
    if (!isCommon(row)) continue;
    ids.push(id);
    rows.push(row);
  }
  const kept = (values: Float64Array) =>
    rows.length === values.length ? values : Float64Array.from(rows, (row) => values[row]!);
  const keptOf = ({ of, over }: TableColumn) => ({ of: kept(of), over: over && kept(over) });
  return {
    ids,
    columns: table.runs.map((run) => keptOf(columnOf(run, metric))),
    parts: table.runs.map((run) => parts.map((id) => keptOf(columnOf(run, id)))),
    ...unitsOf(rows.map((row) => table.clusters[row] ?? null)),
  };
}

/**
 * A sample's own score. If the denominator is zero, such as no field expected and none given, the score is 1.
 * @example scoreAt({ of: Float64Array.of(3), over: Float64Array.of(4) }, 0) // 0.75
 */
export function scoreAt({ of, over }: TableColumn, sample: number): number {
  const divisor = over === null ? 1 : over[sample]!;
  return divisor === 0 ? 1 : of[sample]! / divisor;
}

function unitsOf(
  clusters: readonly (string | null)[],
): Pick<CommonSamples, "units" | "unitOf" | "weights"> {
  const numbers = new Map<string, number>();
  let count = 0;
  const unitOf = Int32Array.from(clusters, (cluster) => {
    if (cluster === null) return count++;
    const number = numbers.get(cluster) ?? count++;
    numbers.set(cluster, number);
    return number;
  });
  const weights = new Float64Array(count);
  for (const unit of unitOf) weights[unit]! += 1 / unitOf.length;
  const kind = numbers.size > 0 ? "clusters" : "samples";
  const isEqual = weights.every((weight) => Math.abs(weight * count - 1) < ROUNDING);
  if (isEqual) return { units: { kind, count }, unitOf, weights: null };
  return { units: { kind, count, effective: effectiveUnits(weights) }, unitOf, weights };
}
