import { counted } from "#shared/contracts/text/counted.ts";
import { sendDeletions } from "./accounts/delete-account.ts";
import { checkDueDomains } from "./accounts/domains.ts";
import { submitDueCanaries } from "./drift/canaries.ts";
import type { StalledWork } from "./engine/lease-store.ts";
import { failRun } from "./engine/record-lost-units.ts";
import { startLanes } from "./engine/seat-lanes.ts";
import { continueBridges } from "./judging/bridge.ts";
import { lookAtJudges } from "./judging/judge-models.ts";
import { checkAlerts } from "./operator/alerts.ts";
import { measureDatabase } from "./operator/overview.ts";
import { forgetKeys } from "./platform/idempotency.ts";
import { logError } from "./platform/log.ts";
import { boardMessage, driftMessage, finalizeMessage, laneMessage } from "./platform/messages.ts";
import type { Platform } from "./platform/platform.ts";
import { deleteRetired, publish } from "./publication/publish.ts";
import { republishDue } from "./publication/republish-board.ts";
import { sumDueRatings } from "./ratings/sum-ratings.ts";
import { forgetEnded } from "./runners/service.ts";
import { archiveRuns } from "./runs/archive-runs.ts";
import { cleanUp } from "./runs/clean-up.ts";
import { runDueSchedules } from "./schedules/ticks.ts";
import { resendDeliveries } from "./webhooks/deliver.ts";

/** How long a lane is free (in leases) before the cron job assumes that its message was lost. */
const GRACE_LEASES = 2 / 3;

/**
 * The steps of the cron trigger, in order. First, rows of ended runs move to R2, because a full database accepts no
 * other write. Then the steps that must not wait for other work: deletions of due data, the operator's alerts,
 * deletions of accounts, and cleanup of unreferenced published objects, old idempotency keys, sessions, and requests to
 * runners of ended runs. Then: end runs that waited too long for their endpoint; repeat lost work (lanes without a
 * message or a holder, runs to sum up or recount, outdated boards, unpublished results, undelivered events); sum up new
 * ratings of people; start due schedules; re-publish boards whose gold answers or scoring changed; check daily how long
 * judges are offered; continue bridges between judges; submit due canaries; record the size of the database once a day;
 * check verified domains daily. Several cron runs may overlap.
 */
const steps: readonly [name: string, step: (platform: Platform) => Promise<unknown>][] = [
  ["archive", archiveRuns],
  ["clean-up", cleanUp],
  ["alerts", checkAlerts],
  ["deletions", sendDeletions],
  ["snapshots", deleteRetired],
  ["keys", forgetKeys],
  ["runners", forgetEnded],
  ["waits", endLongWaits],
  ["stalled", restartStalled],
  ["ratings", sumDueRatings],
  ["republication", republishDue],
  ["drift", watchUnwatched],
  ["schedules", runDueSchedules],
  ["deliveries", resendDeliveries],
  ["judges", lookAtJudges],
  ["bridges", continueBridges],
  ["canaries", submitDueCanaries],
  ["publication", publish],
  ["database", measureDatabase],
  ["domains", checkDueDomains],
];

/** Runs every step whose turn it is, even if one fails. Throws the first error at the end. */
export async function runCron(platform: Platform): Promise<void> {
  const errors: unknown[] = [];
  const minute = Math.floor(platform.now() / 60_000);
  const { cronTurns } = platform.settings.plan;
  for (const [name, step] of steps.filter((_, i) => (minute + i) % cronTurns === 0)) {
    try {
      await step(platform);
    } catch (error) {
      logError("cron-step-failed", error, { step: name });
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
      stalled.lanes.map((lane) => laneMessage({ id: lane.run, phase: lane.phase }, lane)),
    );
  }
  await startLanes(platform, "answering");
  await startLanes(platform, "judging");
  for (const run of stalled.miscounted) await recount(platform, run);
  for (const run of stalled.complete) await platform.queues.finish(finalizeMessage(run));
  for (const board of await platform.boards.outdated()) {
    await platform.queues.finish(boardMessage(board));
  }
}

/** How long an endpoint may postpone requests in total, without an answer in between. */
const WAITED_MAX_MS = 24 * 3_600_000;

/** Fails runs whose endpoint has not answered for a day: a waiting run stores the sealed keys of its endpoint. */
async function endLongWaits(platform: Platform): Promise<void> {
  const overdue = await platform.runs.overdueWaits(platform.now() - WAITED_MAX_MS);
  for (const { id, phase, retries } of overdue) {
    const who = phase === "judging" ? "a judge's endpoint" : "the endpoint";
    const reason = `${who} has taken no requests for more than a day: retry the run when it answers again`;
    await failRun(platform, id, reason, retries);
  }
}

/**
 * Runs that finished within this time are checked for drift again, in case their message was lost. Every turn checks
 * the latest runs of the last hour, and one turn per hour those of a day, because each check reads all of them, two
 * rows per run.
 */
const HOUR_MS = 3_600_000;
const WATCHED_MS = 24 * HOUR_MS;
const LATEST = { latest: 40, limit: 20 };
const OF_A_DAY = { latest: 20_000, limit: 100 };

async function watchUnwatched(platform: Platform): Promise<void> {
  const now = platform.now();
  const before = now - GRACE_LEASES * platform.settings.leaseMs;
  const isHourly = Math.floor((now % HOUR_MS) / 60_000) < platform.settings.plan.cronTurns;
  const period = isHourly
    ? { after: now - WATCHED_MS, before, ...OF_A_DAY }
    : { after: now - HOUR_MS, before, ...LATEST };
  for (const run of await platform.drifts.unwatched(period)) {
    await platform.queues.finish(driftMessage(run));
  }
}

/** Recounts the rows of a run that has nothing left to do; fails the run if rows are missing for good. */
async function recount(
  platform: Platform,
  { id, retries }: StalledWork["miscounted"][number],
): Promise<void> {
  await platform.runs.recount(id);
  const run = await platform.runs.get(id);
  if (run === null) return;
  if (run.done >= run.total) return platform.queues.finish(finalizeMessage(id));
  const reason = `${counted(run.total - run.done, "sample")} lost because of an error of the service: retry the run, or submit the model again`;
  await failRun(platform, id, reason, retries);
}
