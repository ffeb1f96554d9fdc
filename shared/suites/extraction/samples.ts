import { type RowNumbers, rowNumbers } from "./columns.ts";
import { type ScoreRow, unitName } from "./score-row.ts";

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
 * @example samplesOf([row, repeatOfRow]).length // 1
 */
export function samplesOf(rows: readonly ScoreRow[]): RunSample[] {
  const repeats = new Map<string, ScoreRow[]>();
  for (const row of rows) {
    const known = repeats.get(row.id);
    if (known === undefined) repeats.set(row.id, [row]);
    else known.push(row);
  }
  const units = new Map<string, number>();
  return [...repeats.values()].map((rows) => {
    const name = unitName(rows[0]!);
    const unit = units.get(name) ?? units.size;
    units.set(name, unit);
    return { rows, numbers: meanOf(rows.map(rowNumbers)), unit };
  });
}

function meanOf(repeats: RowNumbers[]): RowNumbers {
  const first = repeats[0]!;
  if (repeats.length === 1) return first;
  const means = { ...first };
  for (const name of Object.keys(first) as (keyof RowNumbers)[]) {
    means[name] = repeats.reduce((sum, numbers) => sum + numbers[name], 0) / repeats.length;
  }
  return means;
}
