import type { Unit } from "#shared/contracts/runs/unit.ts";
import { withoutStageCalls } from "#shared/measures/judging/judge-spend.ts";
import { BATCH_LEASE_MS, workInBatches } from "../batches/work-in-batches.ts";
import { judgingSource } from "../judging/judging-source.ts";
import { logLine } from "../platform/log.ts";
import { finalizeMessage, type LaneMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { withMemory } from "../platform/with-memory.ts";
import { Tunnel } from "../runners/tunnel.ts";
import { hasOwnAnswers, isBatched, type RunRecord } from "../runs/schema.ts";
import { type AnswerSource, askingSource } from "./execute-unit.ts";
import { hopelessReason } from "./hopeless.ts";
import { Lane } from "./lane.ts";
import { doubtAtStart, firstClaim, REST_MS } from "./lane-decisions.ts";
import type { LaneOutcome } from "./lane-state.ts";
import { type LaneTaken, SUSPECT_AFTER } from "./lease-store.ts";
import { failRun, recordLostUnits } from "./record-lost-units.ts";
import { seqOf } from "./run-plan.ts";
import { blockedFor, openRun, type RunWork } from "./run-work.ts";
import { startLanes } from "./seat-lanes.ts";
import { answersLeft, storedReader, submittedReader } from "./stored-answers.ts";

/**
 * First span of a lane; it doubles with every take. Short, because queues start more consumers only when batches end.
 */
const FIRST_SPAN_MS = 1_000;
/** Number of samples from which lanes plan one after the other, so that they share the plan. */
const LONG = 5_000;
/** Maximum time per holder. A queue lets a consumer work for 15 minutes. */
const HOLD_MAX_MS = 240_000;
/** Share of an invocation's limits at which a lane is handed on, because requests in flight may still be retried. */
const SPENT = 0.8;
/** D1 queries of an invocation other than a lane's checks and commits, including its last commit. */
const OTHER_QUERIES = 24;
/** A commit that books what judges cost takes half as many queries again. */
const JUDGED = 2 / 3;
/** Share of a lane's queries used to poll for replies of runners. */
const LOOKS = 0.5;
/** Additional time to wait for unavailable storage. Leaves the consumer a minute to end. */
const PATIENCE_MS = 600_000;
/** How long an endpoint may postpone a run in total, without an answer in between. */
const POSTPONE_MAX_MS = 3_600_000;
/**
 * After this many consecutive holders that crashed without finishing a sample, their first unit is recorded as the
 * cause.
 */
const CRASHES_MAX = 5;
/** Maximum delay of a queue message; a lane that is due later checks again then. */
const DELAY_MAX_MS = 12 * 3_600_000;

/**
 * Works on one lane of a run until its span ends or nothing is left to claim. Does nothing if another holder has the
 * lane, so duplicate messages are harmless.
 */
export async function runLane(platform: Platform, message: LaneMessage): Promise<void> {
  const { lane, place } = message;
  const run = await platform.runs.get(message.run);
  if (run === null || (run.status !== "queued" && run.status !== "running")) return;
  if (run.phase !== message.phase) return;
  // Before the lease is taken: if the run can't be opened, the message fails without blocking a lane.
  const inTurn = <T>(make: () => Promise<T>) =>
    run.total > LONG ? withMemory(platform, 1, make) : make();
  const work = await openRun(platform, run, inTurn);
  const now = platform.now();
  const batched = isBatched(run);
  const taking = await platform.runs.takeLease({
    runId: run.id,
    lane,
    place,
    now,
    endpointCap: work.endpointCap,
    expiresAt: now + (batched ? BATCH_LEASE_MS : platform.settings.leaseMs),
    restUntil: now + REST_MS,
    holder: platform.newId("hold"),
    claim: batched ? platform.settings.plan.batchUnits : firstClaim(work.size, lane),
  });
  if (taking.kind === "resting") return sendLater(platform, message, taking.until - now);
  if (taking.kind !== "taken") return;
  const outcome = await workOn(platform, work, taking, lane);
  if (platform.settings.logsActivity) {
    const { id, submissionId: submission, phase } = run;
    const { attempt, slots } = taking;
    const { sent: requests } = work.memory.requests;
    const turn = { run: id, submission, phase, lane, attempt, slots, requests };
    logLine("lane", { ...turn, outcome: outcome.kind, ms: platform.now() - now });
  }
  const followed = platform.runs
    .remember(run.id, work.memory)
    .then(() => follow(platform, message, run, outcome));
  // Concurrently: until another lane has begun, the endpoint gets fewer requests than the run allows.
  await Promise.all([followed, startLanes(platform, message.phase)]);
}

async function workOn(
  platform: Platform,
  work: RunWork,
  taking: LaneTaken,
  lane: number,
): Promise<LaneOutcome> {
  const { run } = work;
  const now = platform.now();
  const isCareful = taking.crashes >= SUSPECT_AFTER;
  if (taking.crashes >= CRASHES_MAX) {
    const [first, ...others] = taking.units;
    const units = first === undefined ? [] : [first];
    await recordLostUnits(platform, work, lane, { ...taking, units, others });
    return { kind: "idle" };
  }
  const started: RunWork = { ...work, startedAt: run.startedAt === null ? now : work.startedAt };
  const { attempt, slots, units, crashes } = taking;
  if (isBatched(run)) {
    const byBatches = (its: Platform) => sourceOf(its, started, now);
    return workInBatches(platform, started, { lane, attempt, units, sourceOf: byBatches });
  }
  const found = await answersLeft(platform, work, { lane, attempt, crashes, units });
  const { laneSpanMaxMs: spanMaxMs, plan } = platform.settings;
  const spanMs = Math.min(FIRST_SPAN_MS * 2 ** (attempt - 1), spanMaxMs);
  const share = run.judging === null ? 1 : JUDGED;
  const queries = share * (SPENT * plan.queries - OTHER_QUERIES);
  const endsAt = now + HOLD_MAX_MS;
  const looks = work.target?.runner === undefined ? 0 : queries * LOOKS;
  const tunnel = looks > 0 ? new Tunnel(platform, started.run, { until: endsAt, looks }) : null;
  const most = { queries: queries - looks, requests: SPENT * plan.requests };
  const patientUntil = endsAt + PATIENCE_MS;
  const spans = { spanMs, spanMaxMs, endsAt, patientUntil };
  const doubt = work.target === null ? null : doubtAtStart(run);
  const hold = { lane, attempt, slots, units, ...spans, most, isCareful, doubt };
  const source = sourceOf(tunnel?.platform ?? platform, started, now);
  const onSaved = (its: readonly Unit[]) => tunnel?.saved(its);
  const outcome = await new Lane(platform, started, source, hold, found, onSaved).work();
  await tunnel?.close();
  return outcome;
}

async function follow(
  platform: Platform,
  message: LaneMessage,
  { retries }: RunRecord,
  outcome: LaneOutcome,
): Promise<void> {
  const rests = outcome.kind === "handed-on" && outcome.delayMs > 0;
  if (rests) await sendLater(platform, message, outcome.delayMs);
  if (outcome.kind === "complete") await platform.queues.finish(finalizeMessage(message.run));
  if (outcome.kind === "hopeless") {
    await failRun(platform, message.run, hopelessReason(outcome.reason), retries.length);
  }
}

async function sendLater(platform: Platform, message: LaneMessage, delayMs: number): Promise<void> {
  const delaySeconds = Math.ceil(Math.min(delayMs, DELAY_MAX_MS) / 1000);
  await platform.queues.lanes([message], delaySeconds);
}

function sourceOf(platform: Platform, work: RunWork, now: number): AnswerSource {
  if (work.run.phase === "judging")
    return judgingSource(platform, work, storedAnswers(platform, work));
  if (work.target !== null) {
    const blockedMs = blockedFor(work.run, now);
    const limits = { ...work.limits, blockedMs: blockedMs < POSTPONE_MAX_MS ? blockedMs : null };
    return askingSource(platform, work, limits);
  }
  return storedAnswers(platform, work);
}

/** Existing answers: of the run itself, of its parent, or submitted. */
function storedAnswers(platform: Platform, work: RunWork): AnswerSource {
  const { id, parentId, endpoint } = work.run;
  const isAnswered = parentId !== null || endpoint !== null;
  const read = isAnswered
    ? storedReader(platform, parentId ?? id)
    : submittedReader(platform.objects, id);
  const isOwn = hasOwnAnswers(work.run);
  return (unit: Unit) =>
    Promise.all(
      unit.samples.map(async (sample) => {
        const timed = await read(seqOf(work.plan, sample, unit.repeat));
        return isOwn ? timed : { ...timed, answer: withoutStageCalls(timed.answer) };
      }),
    );
}
