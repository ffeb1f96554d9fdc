import { samplesOf } from "../../measures/run-sums/run-basis.ts";
import { type RowNumbers, rowNumbers } from "./columns.ts";
import type { ScoreRow } from "./score-row.ts";

/** A sample of a run that is kept in rows: its answers, and their numbers averaged. */
export interface RunSample {
  rows: ScoreRow[];
  numbers: RowNumbers;
  /** Unit of resampling, from 0: the sample, or where any has a cluster, the cluster. */
  unit: number;
}

/**
 * The samples of a run, repeats averaged, in the order of its rows; units are numbered as they come.
 * Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example runSamples([row, repeatOfRow]).length // 1
 */
export const runSamples = (rows: readonly ScoreRow[]): RunSample[] =>
  samplesOf(rows).map(({ rows: its, unit }) => ({
    rows: its,
    numbers: meanOf(its.map(rowNumbers)),
    unit,
  }));

function meanOf(repeats: RowNumbers[]): RowNumbers {
  const first = repeats[0]!;
  if (repeats.length === 1) return first;
  const means = { ...first };
  for (const name of Object.keys(first) as (keyof RowNumbers)[]) {
    means[name] = repeats.reduce((sum, numbers) => sum + numbers[name], 0) / repeats.length;
  }
  return means;
}
