import { at } from "./columns.ts";
import { type Level, levels } from "./sample.ts";
import { type LevelMeans, totalScore } from "./total-score.ts";

/** A run as it would have been routed with another threshold. */
export interface ThresholdPoint {
  /** Null: the cloud alone, the local endpoint never asked. */
  threshold: number | null;
  total: number;
  /** Shares and means over all samples, 0–1. */
  onDevice: number;
  avgF1: number;
  /** Mean latency / baseline; null where none is known. */
  slowness: number | null;
}

/** Confidences that are tried as thresholds, at the most. */
const mostThresholds = 100;

/**
 * The total of a hybrid run against its threshold, by routing the stored answers of both endpoints anew:
 * at 0, at 1, at the run's own threshold and at every confidence that a local answer had, a hundred of
 * these spread evenly where there are more; then the cloud alone. Between two confidences the total is
 * that of the higher one. `rows` are numbers of answers in the order of the columns; those for which
 * only one endpoint was asked are left out. Empty where none has both. O(thresholds · rows).
 * Source: specification of the tools suite, source and hybrid routing.
 * @example thresholdCurve(rows, 0.9).at(-1)?.threshold // null
 */
export function thresholdCurve(
  rows: readonly (readonly number[])[],
  own: number,
): ThresholdPoint[] {
  const both = rows.filter((row) => row[at.bothAsked]! > 0).map(routedRow);
  if (both.length === 0) return [];
  const tried = new Set([0, own, ...spread(both.map(({ confidence }) => confidence)), 1]);
  const thresholds = [...[...tried].sort((a, b) => a - b), null];
  return thresholds.map((threshold) => pointAt(both, threshold));
}

/**
 * The point of the highest total, of equal ones that which keeps most on the device.
 * @example bestPoint(thresholdCurve(rows, 0.9))?.threshold
 */
export function bestPoint(points: readonly ThresholdPoint[]): ThresholdPoint | null {
  return points.reduce<ThresholdPoint | null>(
    (best, point) => (best === null || point.total > best.total ? point : best),
    null,
  );
}

/** What one answer is worth by either way. */
interface RoutedRow {
  level: Level;
  confidence: number;
  localFailed: boolean;
  local: { f1: number; slowness: number | null };
  cloud: { f1: number; slowness: number | null };
}

function routedRow(row: readonly number[]): RoutedRow {
  const localFailed = row[at.localFailed]! > 0;
  const isCloudTimed = row[at.cloudTimed]! > 0;
  return {
    level: levels.find((level) => row[at[`${level}Samples`]]! > 0) ?? "easy",
    confidence: row[at.confidence]!,
    localFailed,
    local: { f1: row[at.localF1]!, slowness: localFailed ? null : row[at.localSlowness]! },
    cloud: { f1: row[at.cloudF1]!, slowness: isCloudTimed ? row[at.cloudSlowness]! : null },
  };
}

/** Distinct values in order, evenly picked where there are too many. */
function spread(values: readonly number[]): number[] {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length <= mostThresholds) return distinct;
  const step = (distinct.length - 1) / (mostThresholds - 1);
  return Array.from({ length: mostThresholds }, (_, i) => distinct[Math.round(i * step)]!);
}

interface Tally {
  samples: number;
  f1: number;
  onDevice: number;
  timed: number;
  slowness: number;
}

function pointAt(rows: readonly RoutedRow[], threshold: number | null): ThresholdPoint {
  const noTally = (): Tally => ({ samples: 0, f1: 0, onDevice: 0, timed: 0, slowness: 0 });
  const tallies = { easy: noTally(), medium: noTally(), hard: noTally() };
  const all = noTally();
  for (const row of rows) {
    const { f1, slowness, isLocal } = routed(row, threshold);
    for (const tally of [tallies[row.level], all]) {
      tally.samples++;
      tally.f1 += f1;
      tally.onDevice += +isLocal;
      if (slowness === null) continue;
      tally.timed++;
      tally.slowness += slowness;
    }
  }
  const { f1, onDevice, slowness } = meansOf(all) ?? { f1: 0, onDevice: 0, slowness: null };
  const { easy, medium, hard } = tallies;
  const total = totalScore({ easy: meansOf(easy), medium: meansOf(medium), hard: meansOf(hard) });
  return { threshold, total: total ?? 0, onDevice, avgF1: f1, slowness };
}

/** Where the local answer does not stand, the cloud's comes after it. */
function routed({ confidence, localFailed, local, cloud }: RoutedRow, threshold: number | null) {
  if (threshold === null) return { ...cloud, isLocal: false };
  if (!localFailed && confidence >= threshold) return { ...local, isLocal: true };
  const slowness = cloud.slowness === null ? null : cloud.slowness + (local.slowness ?? 0);
  return { f1: cloud.f1, slowness, isLocal: false };
}

function meansOf({ samples, f1, onDevice, timed, slowness }: Tally): LevelMeans | null {
  if (samples === 0) return null;
  return {
    f1: f1 / samples,
    onDevice: onDevice / samples,
    slowness: timed === 0 ? null : slowness / timed,
  };
}
