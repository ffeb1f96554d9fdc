import { submitDueCanaries } from "./drift/canaries.ts";
import type { StalledWork } from "./engine/lease-store.ts";
import { failRun } from "./engine/record-lost-units.ts";
import { ENDPOINT_WAIT_MAX_MS } from "./platform/backoff.ts";
import { forgetKeys } from "./platform/idempotency.ts";
import { boardMessage, driftMessage, finalizeMessage, laneMessage } from "./platform/messages.ts";
import type { Platform } from "./platform/platform.ts";
import { deleteRetired, publish } from "./publication/publish.ts";
import { republishDue } from "./publication/republish-board.ts";
import { archiveRuns } from "./runs/archive-runs.ts";
import { cleanUp } from "./runs/clean-up.ts";
import { runDueSchedules } from "./schedules/ticks.ts";
import { resendDeliveries } from "./webhooks/deliver.ts";

/** A released or expired lane rests so many leases before the cron trigger takes its message for lost. */
const GRACE_LEASES = 2 / 3;

/**
 * The work of the cron trigger, one step after the other. Moves rows of runs that ended to R2, first of all, since a
 * database without room lets nothing else be written. Ends runs that waited too long for their endpoint. Repeats what was
 * lost: lanes without a message or a holder, runs to be summed up or recounted, boards older than their runs, unpublished
 * results, undelivered events. Starts due schedules, re-publishes boards whose gold answers or scoring changed, submits
 * due canaries, deletes old idempotency keys. Any number of these may run at once.
 */
const steps: readonly [name: string, step: (platform: Platform) => Promise<unknown>][] = [
  ["archive", archiveRuns],
  ["waits", endLongWaits],
  ["stalled", restartStalled],
  ["republication", republishDue],
  ["drift", watchUnwatched],
  ["schedules", runDueSchedules],
  ["deliveries", resendDeliveries],
  ["canaries", submitDueCanaries],
  ["publication", publish],
  ["snapshots", deleteRetired],
  ["keys", forgetKeys],
  ["clean-up", cleanUp],
];

/** A step that fails holds up none after it: what each does, runs wait for. Throws the first error in the end. */
export async function runCron(platform: Platform): Promise<void> {
  const errors: unknown[] = [];
  for (const [name, step] of steps) {
    try {
      await step(platform);
    } catch (error) {
      const text = error instanceof Error ? error.stack : String(error);
      console.error(JSON.stringify({ event: "cron-step-failed", step: name, error: text }));
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function restartStalled(platform: Platform): Promise<void> {
  const graceMs = GRACE_LEASES * platform.settings.leaseMs;
  const stalled = await platform.runs.stalled(platform.now() - graceMs);
  if (stalled.lanes.length > 0) {
    await platform.queues.lanes(
      stalled.lanes.map(({ run: id, phase, lane }) => laneMessage({ id, phase }, lane)),
    );
  }
  for (const run of stalled.miscounted) await recount(platform, run);
  for (const run of stalled.complete) await platform.queues.finish(finalizeMessage(run));
  for (const board of await platform.boards.outdated()) {
    await platform.queues.finish(boardMessage(board));
  }
}

/** All waits together that an endpoint is granted without an answer in between. */
const WAITED_MAX_MS = 24 * 3_600_000;

/** A run that waits holds the sealed keys of its endpoint: one that gets no answer for a day fails. */
async function endLongWaits(platform: Platform): Promise<void> {
  const now = platform.now();
  const overdue = await platform.runs.overdueWaits(now, ENDPOINT_WAIT_MAX_MS, now - WAITED_MAX_MS);
  for (const { id, phase, retries } of overdue) {
    const who = phase === "judging" ? "a judge's endpoint" : "the endpoint";
    const reason = `${who} asked to be called later for more than a day and gave no answer in between: retry the run when it answers again`;
    await failRun(platform, id, reason, retries);
  }
}

/** Runs that finished within so long are held against those before them, even where the message was lost. */
const WATCHED_MS = 86_400_000;
const UNWATCHED = 20;

async function watchUnwatched(platform: Platform): Promise<void> {
  const now = platform.now();
  const before = now - GRACE_LEASES * platform.settings.leaseMs;
  for (const run of await platform.drifts.unwatched(now - WATCHED_MS, before, UNWATCHED)) {
    await platform.queues.finish(driftMessage(run));
  }
}

/** Counts the rows of a run that has nothing left to do; where some are missing for good, it fails. */
async function recount(
  platform: Platform,
  { id, retries }: StalledWork["miscounted"][number],
): Promise<void> {
  await platform.runs.recount(id);
  const run = await platform.runs.get(id);
  if (run === null) return;
  if (run.done >= run.total) return platform.queues.finish(finalizeMessage(id));
  const reason = `${run.total - run.done} sample(s) were lost because of an error of the service: retry the run, or submit the model again`;
  await failRun(platform, id, reason, retries);
}
