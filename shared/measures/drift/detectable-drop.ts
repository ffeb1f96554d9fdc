import { variance } from "../../stats/significance/moments.ts";
import { leastDifference } from "./drift-evidence.ts";
import { mostAtOneEnd } from "./step-e-value.ts";

/** Re-runs within which a drop is to be found. */
const WITHIN = 5;
/** Standard errors at which the bet on all samples is worth 400: (ln(400 / its stake) + 4² / 2) / 4. */
const FOUND = 4.1;
/** Standard normal quantile of 80%. */
const POWER = 0.8416212335729143;

/**
 * The smallest drop of all samples' scores that would be flagged within five re-runs in 80% of cases, in the unit of the
 * scores: by how much each sample's scores vary in these runs, the first ones against the next five. At least 0.01.
 * Null if fewer than two runs have common samples. Normal approximation; `npm run validate` compares it with simulated
 * drops. Linear.
 * @example detectableDrop(runs) // 0.034
 */
export function detectableDrop(
  runs: readonly Float64Array[],
  unitOf?: ArrayLike<number>,
): number | null {
  const units = new Map<number, { sums: Float64Array; samples: number }>();
  for (let i = 0; i < (runs[0]?.length ?? 0); i++) {
    if (runs.some((scores) => Number.isNaN(scores[i]!))) continue;
    const name = unitOf?.[i] ?? i;
    const unit = units.get(name) ?? { sums: new Float64Array(runs.length), samples: 0 };
    units.set(name, unit);
    for (const [run, scores] of runs.entries()) unit.sums[run]! += scores[i]!;
    unit.samples += 1;
  }
  if (runs.length < 2 || units.size === 0) return null;
  let [spread, samples] = [0, 0];
  for (const unit of units.values()) {
    spread += variance(unit.sums, 1);
    samples += unit.samples;
  }
  const before = Math.min(mostAtOneEnd, runs.length);
  const error = Math.sqrt(spread * (1 / before + 1 / WITHIN)) / samples;
  return Math.max(leastDifference, (FOUND + POWER) * error);
}
