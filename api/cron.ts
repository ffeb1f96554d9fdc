import { submitDueCanaries } from "./drift/canary-report.ts";
import { failRun } from "./engine/bury-lane.ts";
import { forgetKeys } from "./platform/idempotency.ts";
import { boardMessage, driftMessage, finalizeMessage, laneMessage } from "./platform/messages.ts";
import type { Ports } from "./platform/ports.ts";
import { deleteRetired, publish } from "./publication/publish.ts";
import { sweepRepublications } from "./publication/republish-board.ts";
import { cleanUp } from "./runs/clean-up.ts";
import { WAIT_MAX_MS } from "./runs/run-progress.ts";
import type { StalledWork } from "./runs/store.ts";
import { runDueSchedules } from "./schedules/run-tick.ts";
import { sweepWebhooks } from "./webhooks/deliver.ts";

/** A released or expired lane rests so many leases before the sweep believes its message lost. */
const GRACE_LEASES = 2 / 3;

/**
 * Ends runs that have waited for their endpoint for too long. Picks up what was dropped: lanes whose message was lost or whose holder died, runs that wait to
 * be summed up or were miscounted, boards behind their runs, results not yet published, events
 * that webhooks were not told of. Starts what is scheduled, re-publishes boards whose gold answers or
 * scoring changed, and has canaries judged that are due.
 * Forgets idempotency keys of old. Any number of sweeps may run at once.
 */
export async function sweep(ports: Ports): Promise<void> {
  await endLongWaits(ports);
  const graceMs = GRACE_LEASES * ports.settings.leaseMs;
  const stalled = await ports.runs.stalled(ports.now() - graceMs);
  if (stalled.lanes.length > 0) {
    await ports.queues.lanes(
      stalled.lanes.map(({ run: id, phase, lane }) => laneMessage({ id, phase }, lane)),
    );
  }
  for (const run of stalled.miscounted) await recount(ports, run);
  for (const run of stalled.complete) await ports.queues.finish(finalizeMessage(run));
  for (const board of await ports.boards.outdated()) {
    await ports.queues.finish(boardMessage(board));
  }
  await sweepRepublications(ports);
  await watchUnwatched(ports);
  await runDueSchedules(ports);
  await sweepWebhooks(ports);
  await submitDueCanaries(ports);
  await publish(ports);
  await deleteRetired(ports);
  await forgetKeys(ports);
  await cleanUp(ports);
}

/** All waits together that an endpoint is granted without an answer in between. */
const WAITED_MAX_MS = 24 * 3_600_000;

/** A run that waits holds the sealed keys of its endpoint: one that gets no answer for a day fails. */
async function endLongWaits(ports: Ports): Promise<void> {
  const now = ports.now();
  const overdue = await ports.runs.overdueWaits(now, WAIT_MAX_MS, now - WAITED_MAX_MS);
  for (const { id, phase, retries } of overdue) {
    const who = phase === "judging" ? "a judge's endpoint" : "the endpoint";
    const reason = `${who} asked for later calls for more than a day and gave no answer in between: retry the run when it answers again`;
    await failRun(ports, id, reason, retries);
  }
}

/** Runs that finished within so long are held against those before them, even where the message was lost. */
const WATCHED_MS = 86_400_000;
const UNWATCHED = 20;

async function watchUnwatched(ports: Ports): Promise<void> {
  const now = ports.now();
  const before = now - GRACE_LEASES * ports.settings.leaseMs;
  for (const run of await ports.drifts.unwatched(now - WATCHED_MS, before, UNWATCHED)) {
    await ports.queues.finish(driftMessage(run));
  }
}

/** Goes by the rows of a run that has nothing left to do; where some are missing for good, it fails. */
async function recount(
  ports: Ports,
  { id, retries }: StalledWork["miscounted"][number],
): Promise<void> {
  await ports.runs.recount(id);
  const run = await ports.runs.get(id);
  if (run === null) return;
  if (run.done >= run.total) return ports.queues.finish(finalizeMessage(id));
  const reason = `${run.total - run.done} sample(s) got lost on our side: retry the run, or submit the model again`;
  await failRun(ports, id, reason, retries);
}
