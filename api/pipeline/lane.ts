import { askingSource } from "./carry-unit.ts";
import { LEASE_MS, laneLoop } from "./lane-loop.ts";
import { finalizeMessage, type LaneMessage, laneMessage } from "./messages.ts";
import type { Ports } from "./ports.ts";
import { seqOf } from "./run-plan.ts";
import { openRun, type RunWork } from "./run-work.ts";
import { submittedReader } from "./submitted-answers.ts";

/** A lane's first span; it doubles with every taking, since consumers scale when a batch ends. */
const FIRST_SPAN_MS = 1_000;

/**
 * Works on a run in one lane until the lane's span ends or nothing is left to claim. Does nothing
 * where another holds the lane, so a message may come twice.
 */
export async function runLane(ports: Ports, message: LaneMessage): Promise<void> {
  const run = await ports.runs.get(message.run);
  if (run === null || (run.status !== "queued" && run.status !== "running")) return;
  const now = ports.now();
  const lease = await ports.runs.takeLease(run.id, message.lane, now, now + LEASE_MS);
  if (lease === null) return;
  const work = await openRun(ports, run);
  const spanMs = Math.min(FIRST_SPAN_MS * 2 ** (lease.attempt - 1), ports.settings.laneSpanMaxMs);
  const outcome = await laneLoop(ports, work, sourceOf(ports, work), {
    lane: message.lane,
    attempt: lease.attempt,
    units: lease.units,
    closesAt: now + spanMs,
  });
  await ports.runs.remember(run.id, work.memory);
  if (outcome === "handed-on") await ports.queues.lanes([laneMessage(run.id, message.lane)]);
  if (outcome === "complete") await ports.queues.finish(finalizeMessage(run.id));
}

function sourceOf(ports: Ports, work: RunWork) {
  if (work.target !== null) return askingSource(ports, work);
  const read = submittedReader(ports.objects, work.run.id);
  return (unit: RunWork["plan"]["units"][number]) =>
    Promise.all(unit.samples.map((sample) => read(seqOf(work.plan, sample, unit.repeat))));
}
