import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { Unit } from "#shared/contracts/runs/unit.ts";
import { endWithBatches } from "../batches/cancel-run.ts";
import { finalizeMessage, type LaneMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { isBatched } from "../runs/schema.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import { announceWaiting } from "../webhooks/announce.ts";
import { seqOf } from "./run-plan.ts";
import { openRun, type RunWork } from "./run-work.ts";
import { areCounted, sampleRecord } from "./sample-record.ts";
import { startLanes } from "./seat-lanes.ts";

/** Reason of a run that the pipeline could not continue. */
export const brokenReason =
  "the pipeline failed repeatedly on this run; see the service's log, then retry the run";

/**
 * Gives up a lane whose message failed every time. One of its claimed units is the cause, so all of them are recorded
 * as lost, and the rest of the run continues. If no unit is claimed or the run can't be opened, the run fails with the
 * reason. A lane that must wait for its endpoint or a slot is left to its next message.
 */
export async function giveUpLane(
  platform: Platform,
  { run: runId, lane, place, phase }: LaneMessage,
): Promise<void> {
  const run = await platform.runs.get(runId);
  if (run === null || (run.status !== "queued" && run.status !== "running")) return;
  if (run.phase !== phase) return;
  const now = platform.now();
  const taking = await platform.runs.takeLease({
    runId,
    lane,
    place,
    now,
    endpointCap: Number.MAX_SAFE_INTEGER,
    expiresAt: now + platform.settings.leaseMs,
    restUntil: now + platform.settings.leaseMs,
    holder: platform.newId("hold"),
    claim: 0,
  });
  if (taking.kind !== "taken") return;
  const work = await openRun(platform, { ...run, sealedSecrets: null }).catch(() => null);
  if (work === null) return failRun(platform, runId, brokenReason);
  await recordLostUnits(platform, work, lane, taking);
}

/** Records units of a lane as lost and keeps the units in `others`; without units to record, the run fails. */
export async function recordLostUnits(
  platform: Platform,
  work: RunWork,
  lane: number,
  { attempt, units, others = [] }: { attempt: number; units: number[]; others?: number[] },
): Promise<void> {
  const { run } = work;
  if (units.length === 0) return failRun(platform, run.id, brokenReason);
  const now = platform.now();
  const samples = units.flatMap((number) => lostSamples(work, number, now));
  const object = `runs/${run.id}/answers/${lane}-${attempt}-lost.json`;
  await platform.objects.put(object, samples);
  const after = await platform.runs.commit({
    runId: run.id,
    sampleTable: run.sampleTable,
    lane,
    attempt,
    commits: 0,
    now,
    expiresAt: now,
    final: true,
    endpointCap: Number.MAX_SAFE_INTEGER,
    rows: samples.map((sample) => sampleRecord(run, sample, object)),
    areCounted: areCounted(run),
    keep: others,
    isCleared: true,
    inFlight: 0,
    claim: null,
    answered: 0,
    overloads: 0,
    notBefore: 0,
  });
  if (after === null) return;
  if (after.done >= after.total) await platform.queues.finish(finalizeMessage(run.id));
  else await startLanes(platform, run.phase);
}

function lostSamples(work: RunWork, number: number, now: number): StoredSample[] {
  const unit = work.plan.units[number];
  return unit ? lostUnit(work, unit, "the pipeline failed repeatedly on this sample", now) : [];
}

/** Ends a run with a reason, and cancels its open batches; with `retries`, only if its number of retries is still the same. */
export async function failRun(
  platform: Platform,
  runId: string,
  reason: string,
  retries?: number,
): Promise<void> {
  const run = await platform.runs.get(runId);
  if (run === null) return;
  const end = () => platform.runs.fail(runId, reason, platform.now(), retries);
  await endWithBatches(platform, run, end);
  await platform.publications.markChanged();
  await announceWaiting(platform);
}

/** Records a unit that can't be scored because of an internal error, so that its run can end. */
export function lostUnit(work: RunWork, unit: Unit, message: string, now: number): StoredSample[] {
  return unit.samples.map((sample) => ({
    seq: seqOf(work.plan, sample, unit.repeat),
    id: work.plan.heads[sample]?.id ?? "",
    answer: { ...emptyAnswer, error: { class: "lost" as const, message } },
    doneMs: work.target === null || isBatched(work.run) ? null : now - work.startedAt,
    score: { status: "unscored" as const, score: null, covered: false, detail: null },
  }));
}
