import { modelSlug } from "#shared/contracts/text/slug.ts";
import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import type { Platform } from "../platform/platform.ts";
import { partsKey, type RunParts } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { announce } from "../webhooks/announce.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "./schema.ts";
import { isFinishedUnanswered, modelOf } from "./view.ts";

/** Refusals, runs that failed and ticks that a paused run held up, one after the other, that pause a schedule. */
const MOST_FAILURES = 3;

/**
 * Pauses a schedule that has failed too often in a row, and says whether it has. `last`: how it failed last,
 * where that is known.
 */
export async function pauseIfFailing(platform: Platform, id: string, last = ""): Promise<boolean> {
  const schedule = await platform.schedules.get(id);
  if (schedule === null || schedule.failures < MOST_FAILURES) return false;
  if (schedule.status === "active") {
    const reason = `it failed ${schedule.failures} times in a row`;
    await pauseSchedule(
      platform,
      schedule,
      last === "" ? reason : `${reason}, the last time: ${last}`,
    );
  }
  return true;
}

/** Pauses a schedule that gets nowhere, and tells its owner why. */
async function pauseSchedule(
  platform: Platform,
  schedule: ScheduleRecord,
  reason: string,
): Promise<void> {
  const { id, owner } = schedule;
  const now = platform.now();
  const model = modelOf(schedule);
  const { name, simulated = false } = model;
  const { suite, dataset } = schedule.request;
  const data = {
    schedule: id,
    suite,
    dataset,
    reason,
    pausedAt: new Date(now).toISOString(),
    model: { name, slug: modelSlug(model, owner), simulated },
    links: { schedule: `/v1/schedules/${id}` },
  };
  // Announced first: where this dies in between, the next cron run pauses it, and it is announced once.
  const subject = `${id} ${schedule.nextAt}`;
  await announce(platform, { type: "schedule.paused", owner, subject, data });
  await platform.schedules.changeStatus({
    id,
    from: "active",
    to: "paused",
    reason,
    nextAt: schedule.nextAt,
    event: { scheduleId: id, at: now, kind: "paused", detail: reason, runId: null },
  });
}

type End = Pick<ScheduleEventRecord, "detail"> & { kind: keyof typeof tallyOf };

/** Who cancels a run has not had it fail, nor seen it succeed. */
const tallyOf = { finished: "reset", failed: "add", cancelled: "keep" } as const;

/**
 * Counts how a schedule's run ended, once, and pauses the schedule where that makes too many failures in a row.
 * A run in which nothing was answered has failed.
 */
export async function countRunEnd(
  platform: Platform,
  { schedule, run }: { schedule: ScheduleRecord; run: RunRecord },
): Promise<void> {
  const { kind, detail } = await endOf(platform, run);
  const event = { scheduleId: schedule.id, at: platform.now(), kind, detail, runId: run.id };
  if (!(await platform.schedules.settle(schedule, tallyOf[kind], event))) return;
  if (kind === "failed") await pauseIfFailing(platform, schedule.id, detail);
}

async function endOf(platform: Platform, run: RunRecord): Promise<End> {
  if (isFinishedUnanswered(run))
    return { kind: "failed", detail: await silenceText(platform, run) };
  return { kind: run.status as End["kind"], detail: run.statusReason ?? "" };
}

/** Reports only the kind of a failure: the endpoint's message may quote hidden samples. */
async function silenceText(platform: Platform, run: RunRecord): Promise<string> {
  const text = "no request was answered: all failed";
  const parts = await platform.objects.get<RunParts>(partsKey(run));
  const [most] = parts?.points?.failures ?? [];
  if (most === undefined) return text;
  const name = most.class.replaceAll("_", " ");
  return `${text}, ${most.count} of ${run.total} as "${name}". ${failureActions[most.class].action}`;
}
