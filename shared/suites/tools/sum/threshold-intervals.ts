import { type AnswerRow, unitName } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, type Interval } from "../../../stats/bootstrap.ts";
import { eachOf } from "../../../stats/statistics.ts";
import { sumFigures } from "../../../stats/sum-figures.ts";
import { type Level, levels } from "../sample.ts";
import { type LevelMeans, totalScore } from "../score/total-score.ts";
import { type RoutedRow, routedRow, worthAt } from "./threshold-curve.ts";

/** 95% intervals of a point of the curve; of slowness in baselines. */
export interface ThresholdIntervals {
  /** Null: the cloud alone. */
  threshold: number | null;
  total: Interval | null;
  avgF1: Interval | null;
  onDevice: Interval | null;
  slowness: Interval | null;
}

/** An interval's ends then move by some fortieth of its width. */
const resamples = 2_000;

/** Of each level at a threshold: samples, F1, answered on the device, timed, slowness. */
const perLevel = 5;

/**
 * Intervals of single points of a threshold curve from 2,000 resamples of the same answers, routed at each point's
 * threshold. Samples are resampled within their level, as the total's own interval is; clusters as a whole.
 * O(resamples · answers · points).
 * Source: docs/spec/statistics.md, bootstrap interval; docs/spec/tools.md, source and hybrid routing.
 * @example thresholdIntervals(rows, [0, 0.9, null], "run-1")[0]?.total // [low, high]
 */
export function thresholdIntervals(
  rows: readonly Pick<AnswerRow, "id" | "cluster" | "values">[],
  thresholds: readonly (number | null)[],
  seed: string,
): ThresholdIntervals[] {
  const routed = rows.map(({ values, ...row }) => ({
    unit: unitName(row),
    row: routedRow(values),
  }));
  const isClustered = rows.some(({ cluster }) => cluster !== null);
  const { unitOf, strata } = unitsOf(routed, isClustered);
  const count = strata.reduce((sum, size) => sum + size, 0);
  const groups = thresholds.map((threshold) => {
    const columns = Array.from({ length: perLevel * levels.length }, () => new Float64Array(count));
    for (const { unit, row } of routed) addRouted(columns, row, threshold, unitOf.get(unit)!);
    return sumFigures(columns, statistics);
  });
  const found = bootstrap(count, `${seed} thresholds`, groups, { resamples, strata });
  return thresholds.map((threshold, i) => {
    const [total, avgF1, onDevice, slowness] = found.slice(4 * i, 4 * i + 4) as ThreeAndOne;
    return { threshold, total, avgF1, onDevice, slowness };
  });
}

type ThreeAndOne = [Interval | null, Interval | null, Interval | null, Interval | null];

/** Units by name, level by level; how many each level has. */
function unitsOf(routed: readonly { unit: string; row: RoutedRow }[], isClustered: boolean) {
  const levelOf = new Map(routed.map(({ unit, row }) => [unit, levels.indexOf(row.level)]));
  const names = [...levelOf.keys()];
  if (!isClustered) names.sort((a, b) => levelOf.get(a)! - levelOf.get(b)!);
  const unitOf = new Map(names.map((name, i) => [name, i]));
  if (isClustered) return { unitOf, strata: [names.length] };
  const sizes = levels.map((_, i) => names.filter((name) => levelOf.get(name) === i).length);
  return { unitOf, strata: sizes.filter((size) => size > 0) };
}

function addRouted(
  columns: readonly Float64Array[],
  row: RoutedRow,
  threshold: number | null,
  unit: number,
): void {
  const routed = worthAt(row, threshold);
  if (routed === null) return;
  const { worth, isLocal } = routed;
  const first = perLevel * levels.indexOf(row.level);
  const numbers = [1, worth.f1, +isLocal, +(worth.slowness !== null), worth.slowness ?? 0];
  numbers.forEach((value, k) => {
    columns[first + k]![unit]! += value;
  });
}

function meansFrom([samples, f1, onDevice, timed, slowness]: readonly number[]): LevelMeans | null {
  if (!samples) return null;
  return {
    f1: f1! / samples,
    onDevice: onDevice! / samples,
    slowness: timed ? slowness! / timed : null,
  };
}

const levelSums = (sums: Float64Array, i: number): number[] =>
  Array.from(sums.subarray(perLevel * i, perLevel * (i + 1)));

const wholeOf = (sums: Float64Array): LevelMeans | null =>
  meansFrom(
    Array.from({ length: perLevel }, (_, k) =>
      levels.reduce((sum, _level, i) => sum + sums[perLevel * i + k]!, 0),
    ),
  );

const statistics = eachOf([
  (sums) => {
    const means = levels.map((level, i) => [level, meansFrom(levelSums(sums, i))] as const);
    return totalScore(Object.fromEntries(means) as Record<Level, LevelMeans | null>);
  },
  (sums) => wholeOf(sums)?.f1 ?? null,
  (sums) => wholeOf(sums)?.onDevice ?? null,
  (sums) => wholeOf(sums)?.slowness ?? null,
]);
