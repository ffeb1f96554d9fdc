import { type RunPlan, seqOf } from "../engine/run-plan.ts";
import type { SeqRange } from "./store.ts";

/** What a retry asks again: units by number, and the places in the run that they fill. */
export interface UnitsToRetry {
  units: number[];
  seqs: number[];
}

/**
 * Of the units that were claimed (those before `cursor`), all that hold a sample without an answer:
 * whole units, since what a unit asks can depend on what it was answered before. Linear.
 */
export function unitsToRetry(
  plan: RunPlan,
  cursor: number,
  covered: readonly SeqRange[],
): UnitsToRetry {
  const isCovered = new Uint8Array(plan.total);
  for (const { from, to } of covered) isCovered.fill(1, from, to + 1);
  const units: number[] = [];
  const seqs: number[] = [];
  for (const [number, unit] of plan.units.slice(0, cursor).entries()) {
    const its = unit.samples.map((sample) => seqOf(plan, sample, unit.repeat));
    if (its.every((seq) => isCovered[seq] === 1)) continue;
    units.push(number);
    for (const seq of its) seqs.push(seq);
  }
  return { units, seqs };
}

/**
 * Deals units out to lanes, one after the other, so that no lane has two more than another. Lanes past
 * them, up to `held`, get none.
 */
export function dealOut(units: readonly number[], lanes: number, held = lanes): number[][] {
  const hands = Array.from({ length: Math.max(lanes, held) }, (): number[] => []);
  for (const [i, unit] of units.entries()) hands[i % lanes]?.push(unit);
  return hands;
}
