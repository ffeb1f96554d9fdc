import { Cron } from "croner";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { hash32 } from "#shared/stats/hash32.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Schedules of the same hour are spread over this many minutes. The delay of a schedule is constant. */
const SPREAD_MINUTES = 10;

/** Number of ticks checked: patterns with ticks too close to each other recur every hour. */
const LOOKED_AT = 24;

/** When a schedule ticks: a cron expression in UTC, or every so many hours since 1 January 1970, 00:00 UTC. */
export interface Rhythm {
  cron: string | null;
  everyHours: number | null;
}

/**
 * The next tick after `after`, Unix ms, delayed by some minutes that depend on the id; null if there is none.
 * @example nextTick({ cron: "0 6 * * 1", everyHours: null }, "sched_1", Date.now())
 */
export function nextTick(rhythm: Rhythm, id: string, after: number): number | null {
  const delay = (hash32(id) % SPREAD_MINUTES) * MINUTE_MS;
  const asked = nextAsked(rhythm, after - delay);
  return asked === null ? null : asked + delay;
}

/** Minute, hour, day, month and day of the week. */
const FIELDS = 5;

/** Checks a cron expression; the error is the reason. */
export function checkCron(cron: string, now: number): Result<null, string> {
  try {
    const pattern = patternOf(cron);
    let at = pattern.nextRun(new Date(now))?.getTime();
    if (at === undefined) return err(`"${cron}" never occurs: there is no such day`);
    for (let i = 0; i < LOOKED_AT; i++) {
      const next: number | undefined = pattern.nextRun(new Date(at))?.getTime();
      if (next === undefined) break;
      if (next - at < HOUR_MS) {
        const minutes = Math.round((next - at) / MINUTE_MS);
        return err(`"${cron}" repeats after ${minutes} min: the minimum is 60 min`);
      }
      at = next;
    }
    return ok(null);
  } catch (error) {
    const count = cron.trim().split(/\s+/).length;
    const said = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : "";
    // The parser's message about the number of fields mentions other formats.
    const reason = count === FIELDS ? said : `it has ${count}`;
    return err(
      `"${cron}" is not a cron expression of five fields, such as "0 6 * * 1" (Mondays at 6:00 UTC): ${reason}`,
    );
  }
}

function nextAsked({ cron, everyHours }: Rhythm, after: number): number | null {
  if (cron === null) {
    const period = (everyHours ?? 1) * HOUR_MS;
    return (Math.floor(after / period) + 1) * period;
  }
  return patternOf(cron).nextRun(new Date(after))?.getTime() ?? null;
}

const patternOf = (cron: string): Cron => new Cron(cron, { timezone: "UTC", mode: "5-part" });
