import type { RunScores } from "../../contracts/run-scores.ts";
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

/** Neighbouring places in a run, both ends included. */
interface PlaceRange {
  from: number;
  to: number;
}

/**
 * A run's scores without those of samples that were not covered: comparisons leave these out. A sample is
 * covered where all of its repeats are; `covered` are their places in the run, ascending. Linear.
 * @example coveredScores(scores, [{ from: 0, to: 8 }], 1).lacking // [9]
 */
export function coveredScores(
  scores: RunScores,
  covered: readonly PlaceRange[],
  repeats: number,
): RunScores {
  const counts = new Int32Array(scores.ids.length);
  for (const { from, to } of covered) {
    for (let place = from; place <= to; place++) counts[Math.floor(place / repeats)]! += 1;
  }
  const lacking = new Set(scores.lacking);
  counts.forEach((count, i) => {
    if (count < repeats) lacking.add(i);
  });
  return { ...scores, lacking: [...lacking].sort((a, b) => a - b) };
}
