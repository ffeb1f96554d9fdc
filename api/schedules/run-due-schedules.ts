import type { Ports } from "../platform/ports.ts";
import { settleRun } from "./count-run-end.ts";
import { nextTick } from "./next-tick.ts";
import { pauseIfFailing } from "./pause-if-failing.ts";
import { runTick } from "./run-tick.ts";
import type { ScheduleRecord } from "./schedule-ports.ts";

/** Schedules that one sweep starts, and whose ends it counts: the next one is a minute away. */
const AT_ONCE = 20;

/** A tick that takes longer has lost whoever carried it out. */
const STUCK_MS = 120_000;

/** The log of a schedule goes back so far. */
const LOG_KEPT_MS = 90 * 86_400_000;

/**
 * Starts what is due, counts what has ended, and pauses what failed three times in a row. Any number of
 * sweeps may run at once: a tick is taken by one update. Of ticks that were missed one is made up for.
 */
export async function runDueSchedules(ports: Ports): Promise<void> {
  for (const ended of await ports.schedules.unsettled(AT_ONCE)) {
    await insulated(ended.schedule, () => settleRun(ports, ended));
  }
  const now = ports.now();
  for (const schedule of await ports.schedules.stuck(now - STUCK_MS, AT_ONCE)) {
    await insulated(schedule, () => runTick(ports, schedule, schedule.tickAt ?? 0));
  }
  for (const schedule of await ports.schedules.due(now, AT_ONCE)) {
    await insulated(schedule, () => startDue(ports, schedule, now));
  }
  await ports.schedules.pruneEvents(now - LOG_KEPT_MS);
}

/** One that breaks is tried again by a later sweep, and holds up no other. */
async function insulated({ id }: ScheduleRecord, tick: () => Promise<unknown>): Promise<void> {
  try {
    await tick();
  } catch (error) {
    const text = error instanceof Error ? error.stack : String(error);
    console.error(JSON.stringify({ event: "schedule-broke", schedule: id, error: text }));
  }
}

async function startDue(ports: Ports, schedule: ScheduleRecord, now: number): Promise<void> {
  const { id, nextAt: dueAt } = schedule;
  if (await pauseIfFailing(ports, id)) return;
  const nextAt = nextTick(schedule, id, now) ?? Number.MAX_SAFE_INTEGER;
  if (!(await ports.schedules.claim({ id, dueAt, nextAt, tickAt: dueAt, now }))) return;
  await runTick(ports, { ...schedule, nextAt }, dueAt);
}
