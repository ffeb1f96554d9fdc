import { describe, expect, it } from "vitest";
import { checkCron, nextTick } from "./next-tick.ts";

const now = Date.parse("2026-11-22T10:30:00Z");
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Ids whose ticks are delayed by the given minutes. */
const idDelayedBy = (minutes: number) => {
  for (let i = 0; ; i++) {
    const at = nextTick({ cron: "0 6 * * *", everyHours: null }, `sched_${i}`, now);
    if (iso(at)?.endsWith(`:0${minutes}:00.000Z`)) return `sched_${i}`;
  }
};
const [punctual, late] = [idDelayedBy(0), idDelayedBy(9)];

describe("nextTick()", () => {
  it.each([
    [{ cron: "0 6 * * 1", everyHours: null }, punctual, "2026-11-23T06:00:00.000Z"],
    [{ cron: "0 6 * * 1", everyHours: null }, late, "2026-11-23T06:09:00.000Z"],
    [{ cron: "30 10 * * *", everyHours: null }, punctual, "2026-11-23T10:30:00.000Z"],
    [{ cron: "25 10 * * *", everyHours: null }, late, "2026-11-22T10:34:00.000Z"],
    [{ cron: "0 0 29 2 *", everyHours: null }, punctual, "2028-02-29T00:00:00.000Z"],
    [{ cron: null, everyHours: 1 }, punctual, "2026-11-22T11:00:00.000Z"],
    [{ cron: null, everyHours: 1 }, late, "2026-11-22T11:09:00.000Z"],
    [{ cron: null, everyHours: 24 }, late, "2026-11-23T00:09:00.000Z"],
  ])("of %j for %s is %#", (rhythm, id, expected) => {
    expect(iso(nextTick(rhythm, id, now))).toBe(expected);
  });

  it("spreads schedules over ten minutes, with a constant minute for each", () => {
    const minutes = Array.from({ length: 100 }, (_, i) => {
      const at = nextTick({ cron: null, everyHours: 1 }, `sched_${i}`, now) ?? 0;
      expect(nextTick({ cron: null, everyHours: 1 }, `sched_${i}`, at)).toBe(at + 3_600_000);
      return new Date(at).getUTCMinutes();
    });
    expect(new Set(minutes).size).toBe(10);
  });
});

describe("checkCron()", () => {
  it.each(["0 6 * * 1", "0 * * * *", "15 6,18 * * MON-FRI", "0 0 L * *"])("accepts %s", (cron) => {
    expect(checkCron(cron, now).ok).toBe(true);
  });

  it.each([
    ["*/30 * * * *", "repeats after 30 min: the minimum is 60 min"],
    ["0,59 6 * * *", "after 59 min"],
    ["0 0 30 2 *", '"0 0 30 2 *" never occurs'],
    ["61 * * * *", "Invalid value for minute: 61"],
    ["0 0 6 * * 1", '"0 6 * * 1" (Mondays at 6:00 UTC): it has 6'],
    ["daily", '"daily" is not a cron expression of five fields, such as'],
  ])("refuses %s with the reason", (cron, reason) => {
    const checked = checkCron(cron, now);
    expect(checked.ok ? "" : checked.error).toContain(reason);
  });
});
