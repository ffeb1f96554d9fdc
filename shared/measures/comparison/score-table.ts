import type { RunScores, ScoreColumn } from "../../contracts/runs/run-scores.ts";

/** One metric of one run, by row of the table; `of` is NaN if the run has no value. */
export interface TableColumn {
  of: Float64Array;
  /** Null: 1 in every row. */
  over: Float64Array | null;
}

interface TableRun {
  run: string;
  /** Samples of the run, including those without a row in the table. */
  samples: number;
  columns: Readonly<Record<string, TableColumn>>;
}

/** Scores of several runs; a row is the same sample in every run. */
export interface ScoreTable {
  /** Rows by sample id: the samples of the first run, because other samples are not common. */
  rows: ReadonlyMap<string, number>;
  /** The same ids, by row. */
  ids: readonly string[];
  clusters: (string | null)[];
  runs: TableRun[];
  /** Distinct denominator columns: usually the same for every run, so stored once. */
  weights: Float64Array[];
}

/**
 * A table without runs, with a row for each sample of the first run.
 * @example addRun(scoreTable(first.scores), "run-a", first.scores)
 */
export function scoreTable({ ids }: RunScores): ScoreTable {
  return {
    rows: new Map(ids.map((id, row) => [id, row])),
    ids,
    clusters: ids.map(() => null),
    runs: [],
    weights: [],
  };
}

/**
 * Adds a run: keeps the columns of `metrics` from `scores`, at eight bytes a value, so that runs can be read one
 * after the other. Samples that the run lacks have no value; with `lacking: "failed"` they have that of a failed
 * request, as in the run's own figures. Changes `table`. O(samples · metrics).
 * @example addRun(table, "run-b", scores, { metrics: ["eqs"] })
 */
export function addRun(
  table: ScoreTable,
  run: string,
  { ids, clusters, values, lacking }: RunScores,
  more: { metrics?: readonly string[]; lacking?: "left out" | "failed" } = {},
): void {
  // Most runs have the same samples in the same order; comparing ids is faster than finding them.
  const rows = ids.map((id, i) => (table.ids[i] === id ? i : (table.rows.get(id) ?? -1)));
  if (more.lacking !== "failed") for (const i of lacking) rows[i] = -1;
  clusters?.forEach((cluster, i) => {
    const row = rows[i]!;
    // A submitted run may have been stored without clusters, so the clusters of any run apply to all.
    if (row >= 0) table.clusters[row] ??= cluster;
  });
  const columns = (more.metrics ?? Object.keys(values)).map((metric) => {
    const { of, over } = tableColumn(values[metric] ?? noScores, rows, table.rows.size);
    return [metric, { of, over: over && sharedColumn(table.weights, over) }];
  });
  table.runs.push({ run, samples: ids.length, columns: Object.fromEntries(columns) });
}

const noScores: ScoreColumn = { of: [], over: null };

function tableColumn(column: ScoreColumn, rows: readonly number[], count: number): TableColumn {
  const of = new Float64Array(count).fill(Number.NaN);
  const over = column.over && new Float64Array(count);
  rows.forEach((row, i) => {
    if (row < 0) return;
    of[row] = column.of[i] ?? Number.NaN;
    if (over) over[row] = column.over?.[i] ?? 0;
  });
  return { of, over };
}

/**
 * The column in `known` with equal values; if there is none, `column`, which is added to `known`. Runs thus share
 * columns, which saves memory and resampling. Changes `known`. O(known · values) if columns differ late.
 * @example sharedColumn([ones], Float64Array.of(1, 1)) // ones
 */
export function sharedColumn(known: Float64Array[], column: Float64Array): Float64Array {
  const same = known.find((other) => isSame(other, column));
  if (same === undefined) known.push(column);
  return same ?? column;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < b.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return a.length === b.length;
}
