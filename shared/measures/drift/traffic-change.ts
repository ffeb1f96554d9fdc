import studentQuantile from "@stdlib/stats-base-dists-t-quantile";
import type { RunScores } from "../../contracts/runs/run-scores.ts";
import { mean, variance } from "../../stats/significance/moments.ts";
import { twoGroupEValue } from "../../stats/significance/two-group-e-value.ts";
import { addRun, scoreTable } from "../comparison/score-table.ts";
import { mostAtOneEnd, stakedChanges } from "./drift-evidence.ts";
import { tableScores } from "./table-scores.ts";

/**
 * A metric's scores of the samples that are not in `anchor`, one value for each source (the mean of its samples; a
 * sample without a source is its own). Omits samples without a score. Linear.
 * @example freshScores({ ids: ["a", "b"], clusters: null, lacking: [], values: { eqs: { of: [1, 0], over: null } } }, "eqs", new Set(["a"])) // [0]
 */
export function freshScores(
  scores: RunScores,
  metric: string,
  anchor: ReadonlySet<string>,
): number[] {
  const table = scoreTable(scores);
  addRun(table, "run", scores, { metrics: [metric] });
  const { runs, unitOf } = tableScores(table, metric);
  const units = new Map<number, number[]>();
  for (const [i, id] of scores.ids.entries()) {
    const value = runs[0]![i]!;
    const unit = unitOf[i]!;
    if (!anchor.has(id) && !Number.isNaN(value)) {
      units.set(unit, [...(units.get(unit) ?? []), value]);
    }
  }
  return [...units.values()].map(mean);
}

/**
 * Evidence that samples score differently in the last versions of a stream, from the fresh samples of its versions in
 * order of time, the reference first. Versions have different samples, so they are compared as independent groups: for
 * each number of last versions, these against at most the first eight. With the stakes of `driftEvidence`, at most one
 * of twenty series of 20 versions reaches 20 if all samples are drawn from the same traffic and scored in the same way.
 * 0 for one version. Linear.
 * Source: docs/spec/statistics.md, drift.
 * @example trafficEvidence([[1, 1, 0], [1, 0, 1]]) // 0.009
 */
export const trafficEvidence = (versions: readonly (readonly number[])[]): number =>
  stakedChanges(versions.length, (since) => {
    const at = versions.length - since;
    const before = versions.slice(0, Math.min(mostAtOneEnd, at)).flat();
    return twoGroupEValue(before, versions.slice(at).flat());
  }).reduce((sum, { evidence }) => sum + evidence, 0);

/** Difference of two means and its 95% interval; null below two values in a group, or without any spread. */
export interface MeanDifference {
  difference: number;
  interval: [number, number] | null;
}

/**
 * The mean of `now` − that of `then`, of independent samples; null if either is empty. Linear.
 * Source: Welch 1947, with the degrees of freedom of Satterthwaite.
 * @example independentDifference([0.5, 0.7, 0.6], [0.9, 0.8, 1])?.difference // -0.3
 */
export function independentDifference(
  now: readonly number[],
  then: readonly number[],
): MeanDifference | null {
  if (now.length === 0 || then.length === 0) return null;
  const difference = mean(now) - mean(then);
  const parts = [now, then].map((group) => variance(group, 1) / group.length);
  const total = parts[0]! + parts[1]!;
  if (!(total > 0)) return { difference, interval: null };
  const degrees =
    total ** 2 / (parts[0]! ** 2 / (now.length - 1) + parts[1]! ** 2 / (then.length - 1));
  const half = studentQuantile(0.975, degrees) * Math.sqrt(total);
  return { difference, interval: [difference - half, difference + half] };
}

/**
 * Whether the traffic, and not the model, caused a change of the fresh samples: the anchor samples, which every version
 * keeps, moved by at most half as much, and both changes differ by more than their intervals' half-widths, combined as
 * independent errors. False without both intervals.
 * @example isOfTraffic({ difference: -0.1, interval: [-0.13, -0.07] }, { difference: 0, interval: [-0.02, 0.02] }) // true
 */
export function isOfTraffic(
  { difference, interval }: MeanDifference,
  anchor: MeanDifference | null,
): boolean {
  if (!interval || !anchor?.interval) return false;
  const direction = Math.sign(difference);
  const [half, halfOfAnchor] = [interval, anchor.interval].map(([low, high]) => (high - low) / 2);
  const isLess = direction * anchor.difference <= Math.abs(difference) / 2;
  const gap = direction * (difference - anchor.difference);
  return isLess && gap > Math.hypot(half!, halfOfAnchor!);
}
