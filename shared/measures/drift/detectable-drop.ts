import { largestBet } from "../../stats/significance/choice-e-value.ts";
import { variance } from "../../stats/significance/moments.ts";
import {
  driftEvidence,
  isDrift,
  leastDifference,
  mostAtOneEnd,
  neededOf,
} from "./drift-evidence.ts";
import { scoresByUnit } from "./table-scores.ts";

/** Number of re-runs within which a drop should be flagged. */
const WITHIN = 5;
/** Standard normal quantile of 84%: at least 80% are flagged although the spread is estimated (`npm run validate`). */
const POWER = 0.994457883209753;
/** Minimum number of runs to estimate the spread of scores. */
const LEAST_RUNS = 3;

/** Numbers of broken units to try. */
const BROKEN = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512];

/**
 * The smallest drop that would be flagged within five re-runs in 80% of cases, in the unit of the scores. The larger of
 * two: a drop of all samples' scores, given their spread in these runs (normal approximation), and a drop caused by a
 * few samples that score 0 from then on. At least 0.01. Null for fewer than three runs with common samples, and if not
 * even a drop to 0 would be flagged. Linear.
 * @example detectableDrop(runs) // 0.034
 */
export function detectableDrop(
  runs: readonly Float64Array[],
  unitOf?: ArrayLike<number>,
): number | null {
  const { units, samples } = scoresByUnit(runs, unitOf);
  if (runs.length < LEAST_RUNS || samples === 0) return null;
  const spread = units.reduce((sum, scores) => sum + variance(scores, 1), 0);
  const before = Math.min(mostAtOneEnd, runs.length);
  const error = Math.sqrt(spread * (1 / before + 1 / WITHIN)) / samples;
  // A bet of strength s is worth exp(s · z − s² / 2) at z standard errors.
  const { strength, stake } = largestBet;
  const found = Math.log(neededOf(runs.length, WITHIN) / stake) / strength + strength / 2;
  const score = units.reduce((sum, scores) => sum + scores.at(-1)!, 0) / samples;
  const growth = spread > 0 && isPassFail(runs) ? (2 * score - 1) / samples : 0;
  const ofAll = dropOfAll(found + POWER, error, growth);
  const ofBroken = dropOfBroken(units, samples);
  if (ofBroken === null || ofAll > score) return null;
  return Math.max(leastDifference, ofAll, ofBroken);
}

const isPassFail = (runs: readonly Float64Array[]): boolean =>
  runs.every((scores) => scores.every((one) => one === 0 || one === 1 || Number.isNaN(one)));

/**
 * The drop of `reach` standard errors. The variance grows by `growth` times the drop, because a lower pass rate varies
 * more: 0.93 more than 0.98.
 */
function dropOfAll(reach: number, error: number, growth: number): number {
  const half = (reach ** 2 * Math.max(0, growth)) / WITHIN / 2;
  return half + Math.sqrt(half ** 2 + (reach * error) ** 2);
}

/** The drop by the smallest number of broken units that is flagged; null if none is. */
function dropOfBroken(units: readonly ArrayLike<number>[], samples: number): number | null {
  const runs = Array.from(units[0] ?? [], (_, run) =>
    Float64Array.from(units, (scores) => scores[run]!),
  );
  const last = runs.at(-1)!;
  const breakable = [...last.keys()].filter((unit) => last[unit]! > 0);
  const lost = (count: number) =>
    breakable.slice(0, count).reduce((sum, unit) => sum + last[unit]!, 0) / samples;
  const counts = [...BROKEN.filter((count) => count < breakable.length), breakable.length];
  for (const count of counts) {
    const later = last.slice();
    for (const unit of breakable.slice(0, count)) later[unit] = 0;
    const history = [...runs, ...new Array<Float64Array>(WITHIN).fill(later)];
    if (isDrift(driftEvidence(history), lost(count))) return lost(count);
  }
  return null;
}
