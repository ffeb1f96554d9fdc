import { variance } from "../../stats/significance/moments.ts";
import { leastDifference } from "./drift-evidence.ts";
import { mostAtOneEnd } from "./step-e-value.ts";
import { scoresByUnit } from "./table-scores.ts";

/** Re-runs within which a drop is to be found. */
const WITHIN = 5;
/**
 * Standard errors at which the bet on all samples flags: of strength 4 with a stake of 0.12 (0.3 of 0.4), it is worth 400
 * at (ln(400 / 0.12) + 4² / 2) / 4.
 */
const FOUND = 4.03;
/** Standard normal quantile of 80%. */
const POWER = 0.8416212335729143;

/**
 * The smallest drop of all samples' scores that would be flagged within five re-runs in 80% of cases, in the unit of the
 * scores: by how much each sample's scores vary in these runs, the first ones against the next five. At least 0.01.
 * Null if fewer than two runs have common samples. Normal approximation. Linear.
 * @example detectableDrop(runs) // 0.034
 */
export function detectableDrop(
  runs: readonly Float64Array[],
  unitOf?: ArrayLike<number>,
): number | null {
  const { units, samples } = scoresByUnit(runs, unitOf);
  if (runs.length < 2 || samples === 0) return null;
  const spread = units.reduce((sum, scores) => sum + variance(scores, 1), 0);
  const before = Math.min(mostAtOneEnd, runs.length);
  const error = Math.sqrt(spread * (1 / before + 1 / WITHIN)) / samples;
  return Math.max(leastDifference, (FOUND + POWER) * error);
}
