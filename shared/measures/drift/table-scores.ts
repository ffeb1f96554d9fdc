import type { RunScores } from "../../contracts/runs/run-scores.ts";
import { scoreAt } from "../comparison/common-samples.ts";
import type { ScoreTable } from "../comparison/score-table.ts";

/**
 * The scores of a metric by run and sample, NaN without a score, and the number of each sample's source. A sample
 * without a source is its own source. Linear in all values.
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
    // Numbers of rows ascend from 0; numbers of sources descend from −1.
    const number = numbers.get(cluster) ?? -1 - numbers.size;
    numbers.set(cluster, number);
    return number;
  });
  return { runs, unitOf };
}

/**
 * The sum of each unit's samples in each run, and the number of samples; omits samples without a score in some run.
 * Samples with the same `unitOf` are one unit; by default each is its own. Linear in all values.
 * @example scoresByUnit(runs, unitOf).units[0] // [0.5, 0.4], by run
 */
export function scoresByUnit(
  runs: readonly Float64Array[],
  unitOf?: ArrayLike<number>,
): { units: number[][]; samples: number } {
  const units = new Map<number, number[]>();
  let samples = 0;
  for (let i = 0; i < (runs[0]?.length ?? 0); i++) {
    if (runs.some((scores) => Number.isNaN(scores[i]!))) continue;
    const unit = unitOf?.[i] ?? i;
    const sums = units.get(unit) ?? new Array<number>(runs.length).fill(0);
    units.set(unit, sums);
    for (const [run, scores] of runs.entries()) sums[run]! += scores[i]!;
    samples += 1;
  }
  return { units: [...units.values()], samples };
}

/** A range of indexes in a run, both ends included. */
interface PlaceRange {
  from: number;
  to: number;
}

/**
 * A run's scores without samples that were not covered; comparisons omit these. A sample is covered if all its
 * repeats are; `covered` are the indexes of covered answers in the run, ascending. Linear.
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
