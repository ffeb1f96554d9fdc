import type { RunScores, ScoreColumn } from "../../contracts/run-scores.ts";

/** One metric of one run, by row of the table; NaN in `of` where the run has no value. */
export interface TableColumn {
  of: Float64Array;
  /** Null: 1 in every row. */
  over: Float64Array | null;
}

interface TableRun {
  run: string;
  /** Samples of the run, whether or not the table has a row for them. */
  samples: number;
  columns: Readonly<Record<string, TableColumn>>;
}

/** Scores of several runs: a row is the same sample in every run. */
export interface ScoreTable {
  /** Rows by sample id: the samples of the first run, for what it lacks is not common. */
  rows: ReadonlyMap<string, number>;
  clusters: (string | null)[];
  runs: TableRun[];
  /** What columns divide by, each once: it is mostly the same in every run. */
  weights: Float64Array[];
}

/**
 * A table of no runs yet, with a row for each sample of the first of them.
 * @example addRun(scoreTable(first.scores), "run-a", first.scores)
 */
export function scoreTable({ ids }: RunScores): ScoreTable {
  return {
    rows: new Map(ids.map((id, row) => [id, row])),
    clusters: ids.map(() => null),
    runs: [],
    weights: [],
  };
}

/**
 * Adds a run: of `scores` the columns of `metrics` are kept, in eight bytes a value, so that runs can be
 * read one after the other. Samples that the run lacks have no value; with `lacking: "failed"` they have
 * that of a failed request, as in the run's own figures. Changes `table`. O(samples · metrics).
 * @example addRun(table, "run-b", scores, { metrics: ["eqs"] })
 */
export function addRun(
  table: ScoreTable,
  run: string,
  { ids, clusters, values, lacking }: RunScores,
  more: { metrics?: readonly string[]; lacking?: "left out" | "failed" } = {},
): void {
  const rows = ids.map((id) => table.rows.get(id) ?? -1);
  if (more.lacking !== "failed") for (const i of lacking) rows[i] = -1;
  clusters?.forEach((cluster, i) => {
    const row = rows[i]!;
    // A run of answers made elsewhere may have been stored without clusters: any run's knowledge does.
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
 * The column among `known` that has the same values; where there is none, `column` itself, which is known
 * from then on. Columns that runs share so take memory, and are resampled, once. Changes `known`.
 * O(known · values) where they differ late.
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
