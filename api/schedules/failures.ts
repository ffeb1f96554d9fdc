import { namedWith } from "#shared/contracts/submissions/inference-settings.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import type { Platform } from "../platform/platform.ts";
import { partsKey, type RunParts } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { announce } from "../webhooks/announce.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "./schema.ts";
import { isFinishedUnanswered, modelOf } from "./view.ts";

/**
 * Number of consecutive failures that pauses a schedule: refusals, failed runs, and ticks skipped because a run is
 * paused.
 */
const MOST_FAILURES = 3;

/**
 * Pauses a schedule with too many consecutive failures, and returns whether it did. `last`: the latest failure, if
 * known.
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

/** Pauses a schedule that keeps failing, and notifies its owner. */
async function pauseSchedule(
  platform: Platform,
  schedule: ScheduleRecord,
  reason: string,
): Promise<void> {
  const { id, owner } = schedule;
  const now = platform.now();
  const model = modelOf(schedule);
  const { simulated = false } = model;
  const name = namedWith(model.name, model.endpoint?.settings);
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
  // Announced first: after a crash in between, the next cron run pauses the schedule, and the event is sent once.
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

/** A run cancelled by its owner is neither a failure nor a success. */
const tallyOf = { finished: "reset", failed: "add", cancelled: "keep" } as const;

/**
 * Counts the end of a schedule's run once, and pauses the schedule after too many consecutive failures. A run without
 * any answer counts as failed.
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

/** Returns only the kind of a failure, because the endpoint's message may quote hidden samples. */
async function silenceText(platform: Platform, run: RunRecord): Promise<string> {
  const text = "no request was answered: all failed";
  const parts = await platform.objects.get<RunParts>(partsKey(run));
  const [most] = parts?.points?.failures ?? [];
  if (most === undefined) return text;
  const name = most.class.replaceAll("_", " ");
  return `${text}, ${most.count} of ${run.total} as "${name}". ${failureActions[most.class].action}`;
}
