import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import type { Ports } from "../platform/ports.ts";
import { partsKey, type RunParts } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { slugOf } from "../submissions/check-models.ts";
import { announce } from "../webhooks/announce.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "./schema.ts";
import { isFinishedUnanswered, modelOf } from "./view.ts";

/** Refusals, runs that failed and ticks that a paused run held up, one after the other, that pause a schedule. */
const MOST_FAILURES = 3;

/**
 * Pauses a schedule that has failed too often in a row, and says whether it has. `last`: how it failed last,
 * where that is known.
 */
export async function pauseIfFailing(ports: Ports, id: string, last = ""): Promise<boolean> {
  const schedule = await ports.schedules.get(id);
  if (schedule === null || schedule.failures < MOST_FAILURES) return false;
  if (schedule.status === "active") {
    const reason = `it failed ${schedule.failures} times in a row`;
    await pauseSchedule(
      ports,
      schedule,
      last === "" ? reason : `${reason}, the last time: ${last}`,
    );
  }
  return true;
}

/** Pauses a schedule that gets nowhere, and tells its owner why. */
async function pauseSchedule(
  ports: Ports,
  schedule: ScheduleRecord,
  reason: string,
): Promise<void> {
  const { id, owner } = schedule;
  const now = ports.now();
  const model = modelOf(schedule);
  const { name, simulated = false } = model;
  const { suite, dataset } = schedule.request;
  const data = {
    schedule: id,
    suite,
    dataset,
    reason,
    pausedAt: new Date(now).toISOString(),
    model: { name, slug: slugOf(model, owner), simulated },
    links: { schedule: `/v1/schedules/${id}` },
  };
  // Announced first: where this dies in between, the next cron run pauses it, and it is announced once.
  const subject = `${id} ${schedule.nextAt}`;
  await announce(ports, { type: "schedule.paused", owner, subject, data });
  await ports.schedules.changeStatus({
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
  ports: Ports,
  { schedule, run }: { schedule: ScheduleRecord; run: RunRecord },
): Promise<void> {
  const { kind, detail } = await endOf(ports, run);
  const event = { scheduleId: schedule.id, at: ports.now(), kind, detail, runId: run.id };
  if (!(await ports.schedules.settle(schedule, tallyOf[kind], event))) return;
  if (kind === "failed") await pauseIfFailing(ports, schedule.id, detail);
}

async function endOf(ports: Ports, run: RunRecord): Promise<End> {
  if (isFinishedUnanswered(run)) return { kind: "failed", detail: await silenceText(ports, run) };
  return { kind: run.status as End["kind"], detail: run.statusReason ?? "" };
}

/** Tells of failures their kind alone: what the endpoint said may quote hidden samples. */
async function silenceText(ports: Ports, run: RunRecord): Promise<string> {
  const text = "nothing was answered: all requests failed";
  const parts = await ports.objects.get<RunParts>(partsKey(run));
  const [most] = parts?.points?.failures ?? [];
  if (most === undefined) return text;
  const name = most.class.replaceAll("_", " ");
  return `${text}, ${most.count} of ${run.total} as "${name}". ${failureActions[most.class].action}`;
}
