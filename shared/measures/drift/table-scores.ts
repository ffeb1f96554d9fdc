import { scoreAt } from "../comparison/common-samples.ts";
import type { ScoreTable } from "../comparison/score-table.ts";

/**
 * The scores of a metric by run and sample, NaN where there is none, and by sample the number of its source.
 * Samples without a source are their own. Linear in all values.
 * @example tableScores(table, "eqs").runs[0]
 */
export function tableScores(
  table: ScoreTable,
  metric: string,
): { runs: Float64Array[]; unitOf: Int32Array } {
  const runs = table.runs.map(({ columns }) => {
    const column = columns[metric];
    return Float64Array.from(table.clusters, (_, row) =>
      column && Number.isFinite(column.of[row]) ? scoreAt(column, row) : Number.NaN,
    );
  });
  const numbers = new Map<string, number>();
  const unitOf = Int32Array.from(table.clusters, (cluster, row) => {
    if (cluster === null) return row;
    // Rows count from 0 up; sources from −1 down.
    const number = numbers.get(cluster) ?? -1 - numbers.size;
    numbers.set(cluster, number);
    return number;
  });
  return { runs, unitOf };
}
