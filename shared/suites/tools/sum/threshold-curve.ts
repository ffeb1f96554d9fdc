import { uncertain } from "../../../measures/run-sums/interval-of.ts";
import { type AnswerRow, unitName } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, type Interval } from "../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { combineStatistics } from "../../../stats/bootstrap/statistics.ts";
import { type Level, levels } from "../sample.ts";
import { type LevelMeans, totalScore } from "../score/total-score.ts";
import { at } from "./columns.ts";

/** The result of a run with another routing threshold. */
export interface ThresholdPoint {
  /** Null: only the cloud, the local endpoint is not asked. */
  threshold: number | null;
  total: number;
  /** Shares and means over all samples, 0–1. */
  onDevice: number;
  avgF1: number;
  /** Mean latency / baseline; null if unknown. */
  slowness: number | null;
}

/** Points of a curve by threshold, and the point with the highest total. */
interface ThresholdCurve {
  points: ThresholdPoint[];
  best: ThresholdPoint | null;
}

/** Maximum points in addition to 0, 1, the run's threshold and the best one. */
const mostPoints = 100;

/**
 * The total of a hybrid run by threshold, from routing the stored answers again: at 0, at 1, at the run's threshold and
 * at every confidence of a local answer; finally only the cloud. Between two confidences, the total equals that at the
 * higher one. If the cloud was not asked for every sample, the curve ends at the run's threshold, because higher ones
 * are unknown. The best point is chosen among all points; of equal ones, the point that keeps most on the device. About
 * a hundred points are kept. `rows` are numbers of answers in column order. O(rows log rows).
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example thresholdCurve(rows, 0.9).best?.threshold
 */
export function thresholdCurve(rows: readonly (readonly number[])[], own: number): ThresholdCurve {
  const routed = rows.filter((row) => row[at.localAsked]! > 0).map(routedRow);
  if (routed.length === 0) return { points: [], best: null };
  const isSwept = routed.every(({ cloud }) => cloud !== null);
  const all = pointsOf(routed, [0, own, ...(isSwept ? [1] : [])]);
  const known = isSwept
    ? [...all, cloudAlone(routed)]
    : all.filter(({ threshold }) => threshold! <= own);
  const best = known.reduce((one, other) => (other.total > one.total ? other : one));
  const kept = new Set([0, own, 1, null, best.threshold]);
  const step = Math.max(1, Math.ceil(known.length / mostPoints));
  const points = known.filter(({ threshold }, i) => i % step === 0 || kept.has(threshold));
  return { points, best };
}

/** Scores of a sample by both routes; `cloud` is null if the cloud was not asked. */
type RoutedRow = ReturnType<typeof routedRow>;

interface Worth {
  f1: number;
  slowness: number | null;
}

/**
 * An answer of a hybrid run, from its numbers in column order.
 * @example routedRow(values).cloud // null if the cloud was not asked
 */
function routedRow(row: readonly number[]) {
  const known = (timed: number, slowness: number) => (timed > 0 ? slowness : null);
  const localTime = known(row[at.localTimed]!, row[at.localSlowness]!);
  const cloudTime = known(row[at.cloudTimed]!, row[at.cloudSlowness]!);
  return {
    level: levels.find((level) => row[at[`${level}Samples`]]! > 0) ?? "easy",
    /** −1, which is below every threshold, if the call failed. */
    confidence: row[at.localFailed]! > 0 ? -1 : row[at.confidence]!,
    local: { f1: row[at.localF1]!, slowness: localTime },
    cloud: row[at.cloudAsked]! > 0 ? { f1: row[at.cloudF1]!, slowness: cloudTime } : null,
  };
}

/**
 * The score of a sample at a threshold (null: only the cloud), and whether the answer is from the device; null if the
 * cloud's answer is needed but missing.
 * @example worthAt(row, 0.9)?.isLocal // true
 */
function worthAt(
  { confidence, local, cloud }: RoutedRow,
  threshold: number | null,
): { worth: Worth; isLocal: boolean } | null {
  if (threshold !== null && confidence >= threshold) return { worth: local, isLocal: true };
  if (cloud === null) return null;
  return { worth: threshold === null ? cloud : after(cloud, local), isLocal: false };
}

/** Sums over a level's samples at a threshold: samples, F1, answered on the device, timed, slowness. */
type LevelSums = readonly number[];

/** These sums for one sample, by its route. */
const numbersOf = ({ f1, slowness }: Worth, isLocal: boolean): LevelSums => [
  1,
  f1,
  +isLocal,
  +(slowness !== null),
  slowness ?? 0,
];
const perLevel = 5;

const nothing: LevelSums = Array.from({ length: perLevel }, () => 0);

const sumOf = (parts: readonly LevelSums[]): LevelSums =>
  parts.reduce((sum, part) => sum.map((value, k) => value + part[k]!), nothing);

/** Sums by level, in the order of `levels`. */
type Tallies = readonly LevelSums[];

const noTallies: Tallies = levels.map(() => nothing);

const withOne = (tallies: Tallies, level: Level, one: LevelSums): Tallies =>
  tallies.map((sums, i) => (levels[i] === level ? sumOf([sums, one]) : sums));

/**
 * The points at every confidence and at `more` thresholds, in order. Answers below a threshold come from the cloud, the
 * others from the device, so each point combines sums from both ends of the sorted answers. A sample for which the
 * cloud was not asked counts as 0 in the cloud.
 */
function pointsOf(rows: readonly RoutedRow[], more: readonly number[]): ThresholdPoint[] {
  const sorted = [...rows].sort((a, b) => a.confidence - b.confidence);
  const fromDevice = [noTallies];
  for (const { level, local } of [...sorted].reverse()) {
    fromDevice.push(withOne(fromDevice.at(-1)!, level, numbersOf(local, true)));
  }
  const confidences = sorted.map(({ confidence }) => confidence).filter((one) => one >= 0);
  const thresholds = [...new Set([...more, ...confidences])].sort((a, b) => a - b);
  let fromCloud = noTallies;
  let below = 0;
  return thresholds.map((threshold) => {
    for (; below < sorted.length && sorted[below]!.confidence < threshold; below++) {
      const { level, local, cloud } = sorted[below]!;
      if (cloud === null) continue;
      fromCloud = withOne(fromCloud, level, numbersOf(after(cloud, local), false));
    }
    return pointOf(threshold, fromCloud, fromDevice[sorted.length - below]!);
  });
}

/** The cloud's answer, after the local call. */
function after(cloud: Worth, local: Worth): Worth {
  if (cloud.slowness === null) return cloud;
  return { f1: cloud.f1, slowness: cloud.slowness + (local.slowness ?? 0) };
}

function cloudAlone(rows: readonly RoutedRow[]): ThresholdPoint {
  const tallies = rows.reduce(
    (sums, { level, cloud }) =>
      cloud === null ? sums : withOne(sums, level, numbersOf(cloud, false)),
    noTallies,
  );
  return pointOf(null, tallies, noTallies);
}

function pointOf(threshold: number | null, a: Tallies, b: Tallies): ThresholdPoint {
  const whole = meansFrom(sumOf([...a, ...b]));
  return {
    threshold,
    total: totalOf(a.map((sums, i) => sumOf([sums, b[i]!]))) ?? 0,
    onDevice: whole?.onDevice ?? 0,
    avgF1: whole?.f1 ?? 0,
    slowness: whole?.slowness ?? null,
  };
}

const totalOf = (tallies: Tallies): number | null => {
  const means = levels.map((level, i) => [level, meansFrom(tallies[i]!)] as const);
  return totalScore(Object.fromEntries(means) as Record<Level, LevelMeans | null>);
};

function meansFrom([samples, f1, onDevice, timed, slowness]: LevelSums): LevelMeans | null {
  if (!samples) return null;
  return {
    f1: f1! / samples,
    onDevice: onDevice! / samples,
    slowness: timed ? slowness! / timed : null,
  };
}

/** With this number, an interval's ends vary by about 1/40 of its width. */
const resamples = 2_000;

/**
 * 95% intervals of single points of a threshold curve (slowness as a multiple of the baseline), from 2,000 resamples of
 * the same answers, routed at each point's threshold. As for the interval of the total, samples are resampled within
 * their level, clusters as a whole. O(resamples · answers · points).
 * Source: docs/spec/statistics.md, bootstrap interval; docs/spec/tools.md, source and hybrid routing.
 * @example thresholdIntervals(rows, [0, 0.9, null], "run-1")[0]?.total // [low, high]
 */
export function thresholdIntervals(
  rows: readonly Pick<AnswerRow, "id" | "cluster" | "values">[],
  thresholds: readonly (number | null)[],
  seed: string,
) {
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
    const [total, avgF1, onDevice, slowness] = found
      .slice(4 * i, 4 * i + 4)
      .map((interval) => uncertain(interval, rows.length)) as ThreeAndOne;
    return { threshold, total, avgF1, onDevice, slowness };
  });
}

type ThreeAndOne = [Interval | null, Interval | null, Interval | null, Interval | null];

/** Index of each unit, and the sizes of the strata: one stratum per level, or a single one for clusters. */
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
  const first = perLevel * levels.indexOf(row.level);
  numbersOf(routed.worth, routed.isLocal).forEach((value, k) => {
    columns[first + k]![unit]! += value;
  });
}

const tallied = (sums: Float64Array): Tallies =>
  levels.map((_, i) => Array.from(sums.subarray(perLevel * i, perLevel * (i + 1))));

const wholeOf = (sums: Float64Array): LevelMeans | null => meansFrom(sumOf(tallied(sums)));

const statistics = combineStatistics([
  (sums) => totalOf(tallied(sums)),
  (sums) => wholeOf(sums)?.f1 ?? null,
  (sums) => wholeOf(sums)?.onDevice ?? null,
  (sums) => wholeOf(sums)?.slowness ?? null,
]);
