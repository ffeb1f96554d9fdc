import type { Unit } from "#shared/contracts/suite.ts";
import { judgingSource } from "../judging/judging-source.ts";
import { capOf } from "../judging/units.ts";
import { finalizeMessage, type LaneMessage } from "../platform/messages.ts";
import type { Ports } from "../platform/ports.ts";
import { type AnswerSource, askingSource } from "./carry-unit.ts";
import { Lane, sizeOf } from "./lane.ts";
import { firstClaim, type LaneOutcome, REST_MS } from "./lane-state.ts";
import { recordLostUnits } from "./record-lost-units.ts";
import { seqOf } from "./run-plan.ts";
import { openRun, type RunWork } from "./run-work.ts";
import { storedReader, submittedReader } from "./stored-answers.ts";

/**
 * A lane works for a span, and for another as long as no lane waits to be worked on. The first is short, and it doubles
 * with every taking, since consumers scale when a batch ends.
 */
const FIRST_SPAN_MS = 1_000;
/** A queue lets its consumer work for fifteen minutes; what a lane holds in memory is little at any time. */
const HOLD_MAX_MS = 300_000;
/** An endpoint may put a run off for so long in all, without an answer in between. */
const POSTPONE_MAX_MS = 3_600_000;
/** So many holders in a row that vanished without finishing a sample: a unit of theirs is to blame. */
const CRASHES_MAX = 5;
/** Longest delay of a queue message; a lane that is due later asks again. */
const DELAY_MAX_MS = 12 * 3_600_000;

/**
 * Works on a run in one lane until the lane's span ends or nothing is left to claim. Does nothing
 * where another holds the lane, so a message may come twice.
 */
export async function runLane(ports: Ports, message: LaneMessage): Promise<void> {
  const { lane } = message;
  const run = await ports.runs.get(message.run);
  if (run === null || (run.status !== "queued" && run.status !== "running")) return;
  if (run.phase !== message.phase) return;
  // Before the lease is taken: a run that can't be opened fails its message and never blocks a lane.
  const work = await openRun(ports, run);
  const now = ports.now();
  const taking = await ports.runs.takeLease({
    runId: run.id,
    lane,
    now,
    endpointCap: capOf(ports, run),
    expiresAt: now + ports.settings.leaseMs,
    restUntil: now + REST_MS,
    holder: ports.newId("hold"),
    claim: firstClaim(sizeOf(work), lane),
  });
  if (taking.kind === "resting") return sendLater(ports, message, taking.until - now);
  if (taking.kind !== "taken") return;
  if (taking.crashes >= CRASHES_MAX) return recordLostUnits(ports, work, lane, taking);
  const started: RunWork = { ...work, startedAt: run.startedAt === null ? now : work.startedAt };
  const { attempt, slots, units } = taking;
  const spanMs = Math.min(FIRST_SPAN_MS * 2 ** (attempt - 1), ports.settings.laneSpanMaxMs);
  const hold = { lane, attempt, slots, units, spanMs, endsAt: now + HOLD_MAX_MS };
  const outcome = await new Lane(ports, started, sourceOf(ports, started, now), hold).work();
  await ports.runs.remember(run.id, work.memory);
  await follow(ports, message, outcome);
}

async function follow(ports: Ports, message: LaneMessage, outcome: LaneOutcome): Promise<void> {
  if (outcome.kind === "handed-on") await sendLater(ports, message, outcome.delayMs);
  if (outcome.kind === "complete") await ports.queues.finish(finalizeMessage(message.run));
}

async function sendLater(ports: Ports, message: LaneMessage, delayMs: number): Promise<void> {
  const delaySeconds = Math.ceil(Math.min(delayMs, DELAY_MAX_MS) / 1000);
  await ports.queues.lanes([message], delaySeconds);
}

function sourceOf(ports: Ports, work: RunWork, now: number): AnswerSource {
  if (work.run.phase === "judging") return judgingSource(ports, work, storedAnswers(ports, work));
  if (work.target !== null) {
    const blockedMs = now - (work.run.blockedSince ?? now);
    const mayPostpone = blockedMs < POSTPONE_MAX_MS;
    return askingSource(ports, work, { ...work.limits, mayPostpone });
  }
  return storedAnswers(ports, work);
}

/** Answers that are there already: of the run itself, of its parent, or submitted. */
function storedAnswers(ports: Ports, work: RunWork): AnswerSource {
  const { id, parentId, endpoint } = work.run;
  const isAnswered = parentId !== null || endpoint !== null;
  const read = isAnswered
    ? storedReader(ports, parentId ?? id)
    : submittedReader(ports.objects, id);
  return (unit: Unit) =>
    Promise.all(unit.samples.map((sample) => read(seqOf(work.plan, sample, unit.repeat))));
}
