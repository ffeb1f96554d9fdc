import { jointMeans } from "../../stats/joint-means.ts";
import { type CommonSamples, scoreAt } from "./common-samples.ts";
import type { ScoreTable } from "./score-table.ts";
import { linearised, ratioOf, type UnitSums, unitSums } from "./unit-sums.ts";

/** One metric of a run, over the same samples as that of others. */
export interface MeasuredRun {
  run: string;
  /** The metric over all common samples. */
  value: number;
  /** The metric in each resample; the same resample for every run. */
  draws: Float64Array;
  /** By unit, what is tested: values whose mean is the metric. */
  tested: number[];
  sums: UnitSums;
  /** By sample, what wins are counted by. */
  scores: number[];
}

/**
 * A metric of each run over the common samples and their resamples. O(resamples · units · runs).
 * @example measuredRuns(table, commonSamples(table, "eqs"), "seed")[0]?.value
 */
export function measuredRuns(
  table: ScoreTable,
  common: CommonSamples,
  seed: string,
): MeasuredRun[] {
  const sums = unitSums(common);
  const draws = jointMeans(sums, seed);
  return table.runs.map(({ run }, i) => ({
    ...{ run, value: ratioOf(sums[i]!), draws: draws[i]!, tested: linearised(sums[i]!) },
    sums: sums[i]!,
    scores: common.ids.map((_, sample) => scoreAt(common.columns[i]!, sample)),
  }));
}

/**
 * Every pair of runs, the earlier first: (0, 1), (0, 2), …, (1, 2), …
 * @example eachPair(["a", "b", "c"], (x, y) => x + y) // ["ab", "ac", "bc"]
 */
export function eachPair<Item, Made>(
  items: readonly Item[],
  make: (a: Item, b: Item) => Made,
): Made[] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b) => make(a, b)));
}

/**
 * Where the pair of two items, given in any order, stands in `eachPair` of `count` items.
 * @example pairAt(2, 1, 3) // 2
 */
export function pairAt(one: number, other: number, count: number): number {
  const [a, b] = [Math.min(one, other), Math.max(one, other)];
  return a * count - (a * (a + 1)) / 2 + b - a - 1;
}
