import type { Ports } from "../platform/ports.ts";
import { pauseSchedule } from "./pause-schedule.ts";

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
