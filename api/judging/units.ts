import type { PhaseStart } from "../engine/phase-store.ts";
import { type RunPlan, seqOf } from "../engine/run-plan.ts";
import type { Platform } from "../platform/platform.ts";
import type { SeqRange } from "../runs/sample-store.ts";
import type { RunRecord } from "../runs/schema.ts";
import { calledOrigin } from "../security/own-hosts.ts";

/** Key of the cap on requests across runs while judging: one cap for all judges. */
const ORIGIN = "judges";

/** Numbers of units, and the positions of the samples that they contain. */
export interface OpenUnits {
  units: number[];
  seqs: number[];
}

/** Units with an unjudged sample. Linear. */
export const unitsToJudge = (plan: RunPlan, judged: readonly SeqRange[]): OpenUnits =>
  openUnits(plan, plan.units.length, judged);

/**
 * Claimed units (before `cursor`) with an unanswered sample. Whole units, because later requests of a unit can depend
 * on earlier answers. Linear.
 */
export const unitsToRetry = (
  plan: RunPlan,
  cursor: number,
  covered: readonly SeqRange[],
): OpenUnits => openUnits(plan, cursor, covered);

function openUnits(plan: RunPlan, cursor: number, done: readonly SeqRange[]): OpenUnits {
  const isDone = new Uint8Array(plan.total);
  for (const { from, to } of done) isDone.fill(1, from, to + 1);
  const units: number[] = [];
  const seqs: number[] = [];
  for (const [number, unit] of plan.units.slice(0, cursor).entries()) {
    const its = unit.samples.map((sample) => seqOf(plan, sample, unit.repeat));
    if (its.every((seq) => isDone[seq] === 1)) continue;
    units.push(number);
    for (const seq of its) seqs.push(seq);
  }
  return { units, seqs };
}

type Options = RunRecord["options"];

/** Lanes and concurrency for some units. Lanes with requests in batches take turns, and each has many units. */
export function lanesFor(
  { settings }: Pick<Platform, "settings">,
  units: number,
  { concurrency, mode }: { concurrency: number; mode: unknown },
): Pick<PhaseStart, "lanes" | "concurrency" | "slotLimit"> {
  const { laneRequests } = settings;
  if (mode === "batch") {
    const lanes = Math.max(1, Math.ceil(units / settings.plan.batchUnits));
    return { lanes, concurrency: laneRequests, slotLimit: laneRequests };
  }
  const wanted = Math.max(1, Math.min(concurrency, units));
  return { lanes: Math.ceil(wanted / laneRequests), concurrency: wanted, slotLimit: wanted };
}

/** Lanes and limits for judging a run, with as many concurrent requests as judges accept. */
export function judgingStart(
  platform: Pick<Platform, "settings" | "judging">,
  { judgeMode: mode }: Options,
  units: number,
  cursor: number,
): PhaseStart {
  const { settings, judging } = platform;
  const concurrency = Math.min(settings.endpointConcurrencyMax, judging.concurrency);
  const its = lanesFor(platform, units, { concurrency, mode });
  return { phase: "judging", ...its, origin: ORIGIN, cursor };
}

/** Lanes and limits for asking a run's model again: the same as before. */
export function answeringStart(
  platform: Pick<Platform, "settings">,
  run: RunRecord,
  cursor: number,
): PhaseStart {
  const { lanes, concurrency, slotLimit, endpoint, endpointOrigin: origin } = run;
  if (run.phase === "answering") {
    return { phase: "answering", lanes, concurrency, slotLimit, origin, cursor };
  }
  const { concurrency: wanted, mode } = run.options;
  return {
    phase: "answering",
    ...lanesFor(platform, run.units, { concurrency: wanted as number, mode }),
    origin: endpoint && calledOrigin(endpoint, run.owner),
    cursor,
  };
}

/** Columns of a new run whose answers exist already. */
export const judgedFromStart = (start: PhaseStart) => ({
  phase: start.phase,
  lanes: start.lanes,
  concurrency: start.concurrency,
  slotLimit: start.slotLimit,
  endpointOrigin: start.origin,
  cursor: start.cursor,
});

/** The cap on requests across runs in a phase. */
export const capOf = (
  { settings, judging }: Pick<Platform, "settings" | "judging">,
  { phase }: Pick<RunRecord, "phase">,
): number => (phase === "judging" ? judging.concurrency : settings.endpointConcurrencyMax);

/**
 * Deals units to lanes round-robin, so that their sizes differ by at most one. Further lanes, up to `held`, get none.
 */
export function dealOut(units: readonly number[], lanes: number, held = lanes): number[][] {
  const hands = Array.from({ length: Math.max(lanes, held) }, (): number[] => []);
  for (const [i, unit] of units.entries()) hands[i % lanes]?.push(unit);
  return hands;
}
