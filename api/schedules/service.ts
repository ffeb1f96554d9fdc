import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Ports } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";
import { nextTick } from "./next-tick.ts";
import { ownSchedule, type ScheduleRefusal } from "./own-schedule.ts";
import { runTick } from "./run-tick.ts";
import type { ScheduleRecord } from "./schedule-ports.ts";
import { scheduleSubmitter } from "./schedule-submitter.ts";

type Changed = Promise<Result<ScheduleRecord, ScheduleRefusal>>;

/** Pauses a schedule; a run under way goes on. */
export async function pauseByOwner(ports: Ports, account: Account, id: string): Changed {
  const own = await ownSchedule(ports, account, id);
  return own.ok ? change(ports, own.value, "paused") : own;
}

/** Has a paused schedule go on with the next tick to come, unless every tick would be refused. */
export async function resumeByOwner(ports: Ports, account: Account, id: string): Changed {
  const own = await ownSchedule(ports, account, id);
  if (!own.ok) return own;
  const submitter = await scheduleSubmitter(ports, own.value);
  if (submitter.ok) return change(ports, own.value, "active");
  return err({ type: "conflict", detail: `schedule "${id}" can't go on: ${submitter.error}` });
}

async function change(
  ports: Ports,
  schedule: ScheduleRecord,
  to: ScheduleRecord["status"],
): Changed {
  const { id } = schedule;
  const now = ports.now();
  const isPause = to === "paused";
  const reason = isPause ? "paused by its owner" : null;
  const changed = await ports.schedules.changeStatus({
    id,
    from: isPause ? "active" : "paused",
    to,
    reason,
    nextAt: nextTick(schedule, id, now) ?? Number.MAX_SAFE_INTEGER,
    event: {
      scheduleId: id,
      at: now,
      kind: isPause ? "paused" : "resumed",
      runId: null,
      detail: isPause ? "by its owner" : "",
    },
  });
  const current = (await ports.schedules.get(id)) ?? schedule;
  if (changed || current.status === to) return ok(current);
  return err({ type: "conflict", detail: `schedule "${id}" has just been changed: read it again` });
}

/** Starts a run now, out of turn; the next tick stays. A paused schedule can be tried so. */
export async function runNow(ports: Ports, account: Account, id: string): Changed {
  const own = await ownSchedule(ports, account, id);
  if (!own.ok) return own;
  const now = ports.now();
  const claim = { id, dueAt: null, nextAt: own.value.nextAt, tickAt: now, now };
  if (!(await ports.schedules.claim(claim))) {
    const detail = `schedule "${id}" is starting a run just now: read it again`;
    return err({ type: "conflict", detail });
  }
  const outcome = await runTick(ports, own.value, now, true);
  if (outcome.kind === "started") return ok((await ports.schedules.get(id)) ?? own.value);
  return err({ type: "conflict", detail: `no run was started: ${outcome.detail}` });
}

/** Removes a schedule with its key; its runs stay, and one under way goes on. */
export async function deleteSchedule(
  ports: Ports,
  account: Account,
  id: string,
): Promise<Result<null, ScheduleRefusal>> {
  const own = await ownSchedule(ports, account, id);
  if (!own.ok) return own;
  await ports.schedules.remove(id);
  return ok(null);
}
