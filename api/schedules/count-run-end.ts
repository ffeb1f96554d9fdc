import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { isFinishedUnanswered } from "../runs/is-finished-unanswered.ts";
import { partsKey, type RunParts } from "../runs/run-objects.ts";
import { pauseIfFailing } from "./pause-if-failing.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "./schedule-ports.ts";

type End = Pick<ScheduleEventRecord, "detail"> & { kind: keyof typeof tallyOf };

/** Who cancels a run has not had it fail, nor seen it succeed. */
const tallyOf = { finished: "reset", failed: "add", cancelled: "keep" } as const;

/**
 * Counts how a schedule's run ended, once, and pauses the schedule where that makes too many failures in a row.
 * A run in which nothing was answered has failed.
 */
export async function settleRun(
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
