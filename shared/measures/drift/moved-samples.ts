import { variance } from "../../stats/significance/moments.ts";
import { mostAtOneEnd } from "./drift-evidence.ts";

/** A sample whose scores moved with a drift: its mean before, and its newest score. */
interface MovedSample {
  /** Index of the sample. */
  at: number;
  before: number;
  since: number;
}

/** Maximum number of samples returned. */
const MOST = 20;
/** Minimum change of a sample. */
const LEAST = 0.05;
/** Minimum change in standard deviations of the sample's earlier scores. */
const DEVIATIONS = 3;

/**
 * The samples that explain a drift of `difference` in the last `since` runs, the largest change first, at most 20. In
 * the newest run, their scores are beyond all their earlier ones (of up to eight runs) in the direction of the drift,
 * by at least 0.05 and three standard deviations of the earlier scores. `runs`, in order of time, have each run's score
 * by sample, NaN without a score. Linear.
 * @example movedSamples([Float64Array.of(1, 1), Float64Array.of(0, 1)], -0.5, 1) // [{ at: 0, before: 1, since: 0 }]
 */
export function movedSamples(
  runs: readonly Float64Array[],
  difference: number,
  since: number,
): MovedSample[] {
  const sign = Math.sign(difference);
  const newest = runs.at(-1) ?? new Float64Array();
  const first = runs.slice(0, Math.min(mostAtOneEnd, runs.length - since));
  return [...newest.keys()]
    .flatMap((at) => {
      const earlier = first.map((scores) => scores[at]!).filter((score) => !Number.isNaN(score));
      const now = newest[at]!;
      if (earlier.length === 0 || Number.isNaN(now)) return [];
      const mean = earlier.reduce((sum, one) => sum + one, 0) / earlier.length;
      const usual = earlier.length < 2 ? 0 : Math.sqrt(variance(earlier, 1));
      const isOutside = earlier.every((score) => sign * (now - score) > 0);
      const isLarge = Math.abs(now - mean) >= Math.max(LEAST, DEVIATIONS * usual);
      return isOutside && isLarge ? [{ at, before: mean, since: now }] : [];
    })
    .sort((a, b) => Math.abs(b.since - b.before) - Math.abs(a.since - a.before) || a.at - b.at)
    .slice(0, MOST);
}
