import type { Composite } from "../../contracts/suite.ts";
import { jointFigures, jointMeans } from "../../stats/bootstrap/joint-figures.ts";
import { type CommonSamples, scoreAt } from "./common-samples.ts";
import { compositeDifferences, compositeOf, linearisedComposite } from "./composite-sums.ts";
import type { ScoreTable } from "./score-table.ts";
import { linearised, ratioOf, type UnitSums, unitDifferences, unitSums } from "./unit-sums.ts";

/** One metric of a run, over the same samples as for the other runs. */
export interface MeasuredRun {
  run: string;
  /** The metric over all common samples. */
  value: number;
  /** The metric in each resample; the resamples are the same for every run. */
  draws: Float64Array;
  /** By unit: the tested values, whose mean is the metric. */
  tested: Float64Array;
  /** By unit: the sums from which the metric is computed, its own or those of a composite's parts. */
  parts: UnitSums[];
  /** By sample: the scores that are compared to count wins. */
  scores: Float64Array;
  /** All scores of all runs are within 0–1. (One run alone may have only levels of 1.) */
  areShares: boolean;
  /** All scores are 0 or 1 and all weights are whole numbers, so the metric is a rate. */
  isRate: boolean;
}

/**
 * A metric of each run over the common samples and over their resamples; `composite` if it is not a ratio of its own
 * sums. A ratio with a zero denominator is 1. Null without common samples, and if a run's composite has no value.
 * O(resamples · units · runs · parts).
 * @example measuredRuns(table, commonSamples(table, "eqs"), "seed")?.[0]?.value
 */
export function measuredRuns(
  table: ScoreTable,
  common: CommonSamples,
  seed: string,
  composite?: Composite,
): MeasuredRun[] | null {
  if (common.ids.length === 0) return null;
  const sums = unitSums(common);
  const values = sums.map((parts) =>
    composite ? compositeOf(parts, composite) : (ratioOf(parts[0]!) ?? 1),
  );
  if (values.includes(null)) return null;
  const draws = composite
    ? jointFigures(sums, (ratios) => composite.value(ratios), seed)
    : jointMeans(sums.flat(), seed);
  const scores = common.columns.map((column) =>
    column.over === null ? column.of : column.of.map((_, sample) => scoreAt(column, sample)),
  );
  const areShares = scores.every((its) => its.every((score) => score >= 0 && score <= 1));
  return table.runs.map(({ run }, i) => ({
    run,
    value: values[i]!,
    draws: draws[i]!,
    parts: sums[i]!,
    tested: composite ? linearisedComposite(sums[i]!, composite) : linearised(sums[i]![0]!),
    scores: scores[i]!,
    areShares,
    isRate: areShares && isRate(sums[i]!, scores[i]!),
  }));
}

const isRate = ([only, ...others]: readonly UnitSums[], scores: Float64Array): boolean =>
  others.length === 0 &&
  scores.every((score) => score === 0 || score === 1) &&
  only!.over.every((weight) => weight < 1e-9 || Number.isInteger(weight));

/**
 * By unit, the difference of two runs for signed ranks: zero in units with equal results.
 * @example differences(measured[0]!, measured[1]!) // [0.5, 0, -0.25]
 */
export function differences(a: MeasuredRun, b: MeasuredRun, composite?: Composite): Float64Array {
  return composite
    ? compositeDifferences(a.parts, b.parts, composite)
    : unitDifferences(a.parts[0]!, b.parts[0]!);
}

/**
 * Calls a function for every pair of items, in this order: (0, 1), (0, 2), …, (1, 2), …
 * @example eachPair(["a", "b", "c"], (x, y) => x + y) // ["ab", "ac", "bc"]
 */
export function eachPair<Item, Made>(
  items: readonly Item[],
  make: (a: Item, b: Item) => Made,
): Made[] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b) => make(a, b)));
}

/**
 * Index of the pair of two items, given in any order, in `eachPair` of `count` items.
 * @example pairAt(2, 1, 3) // 2
 */
export function pairAt(one: number, other: number, count: number): number {
  const [a, b] = [Math.min(one, other), Math.max(one, other)];
  return a * count - (a * (a + 1)) / 2 + b - a - 1;
}
