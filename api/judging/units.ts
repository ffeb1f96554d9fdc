import type { PhaseStart } from "../engine/phase-store.ts";
import { type RunPlan, seqOf } from "../engine/run-plan.ts";
import type { Platform } from "../platform/platform.ts";
import type { SeqRange } from "../runs/sample-store.ts";
import type { RunRecord } from "../runs/schema.ts";

/** Requests that a lane keeps in flight. */
export const PER_LANE = 5;

/** Key of the cap on requests across runs while answers are judged: all judges together. */
const ORIGIN = "judges";

/** Whole units with a sample that waits for a judgment, by number, and the places that they fill. */
export interface UnitsToJudge {
  units: number[];
  seqs: number[];
}

/** All units but those whose samples are all judged. Linear. */
export function unitsToJudge(plan: RunPlan, judged: readonly SeqRange[]): UnitsToJudge {
  const isJudged = new Uint8Array(plan.total);
  for (const { from, to } of judged) isJudged.fill(1, from, to + 1);
  const units: number[] = [];
  const seqs: number[] = [];
  for (const [number, unit] of plan.units.entries()) {
    const its = unit.samples.map((sample) => seqOf(plan, sample, unit.repeat));
    if (its.every((seq) => isJudged[seq] === 1)) continue;
    units.push(number);
    for (const seq of its) seqs.push(seq);
  }
  return { units, seqs };
}

/** Lanes and limits of a run whose answers are judged, as many requests at once as the judges can take. */
export function judgingStart(
  { settings, judging }: Pick<Platform, "settings" | "judging">,
  units: number,
  cursor: number,
): PhaseStart {
  const cap = Math.min(settings.endpointConcurrencyMax, judging.concurrency);
  const concurrency = Math.max(1, Math.min(cap, units));
  const lanes = Math.ceil(concurrency / PER_LANE);
  return {
    phase: "judging",
    lanes,
    concurrency,
    slotLimit: concurrency,
    origin: ORIGIN,
    cursor,
  };
}

/** Lanes and limits of a run whose model is asked again: those that it had when it was last asked. */
export function answeringStart(run: RunRecord, cursor: number): PhaseStart {
  const { lanes, concurrency, slotLimit, endpoint, endpointOrigin: origin } = run;
  if (run.phase === "answering") {
    return { phase: "answering", lanes, concurrency, slotLimit, origin, cursor };
  }
  const wanted = Math.max(1, Math.min(run.options["concurrency"] as number, run.units));
  return {
    phase: "answering",
    lanes: Math.ceil(wanted / PER_LANE),
    concurrency: wanted,
    slotLimit: wanted,
    origin: endpoint && new URL(endpoint.baseUrl).origin,
    cursor,
  };
}

/** The columns of a new run whose answers are there already. */
export const judgedFromStart = (start: PhaseStart) => ({
  phase: start.phase,
  lanes: start.lanes,
  concurrency: start.concurrency,
  slotLimit: start.slotLimit,
  endpointOrigin: start.origin,
  cursor: start.cursor,
});

/** Requests that all runs of a phase may have in flight at one place. */
export const capOf = (
  { settings, judging }: Pick<Platform, "settings" | "judging">,
  { phase }: Pick<RunRecord, "phase">,
): number => (phase === "judging" ? judging.concurrency : settings.endpointConcurrencyMax);

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
