import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { type Platform, planLimits } from "../../../api/platform/platform.ts";
import type { FetchedRows } from "../../../api/providers/fetch-rows.ts";
import { deleteRun } from "../../../api/runs/service.ts";
import { createSchedule } from "../../../api/schedules/service.ts";
import { submissionsOf } from "../../../api/schedules/view.ts";
import { newScheduleSchema } from "../../../shared/contracts/schedules/schedule.ts";
import { countedQueries } from "../support/counted-queries.ts";
import { anAccount, deliver, harness, relayDataset, submitRun } from "../support/harness.ts";
import { aSchedule } from "../support/scheduled.ts";

const MINUTE_MS = 60_000;

beforeEach(() => env.DB.exec("DELETE FROM schedules"));

/** A service on the Free plan with a manual clock. */
function onFree(overrides: Partial<Platform> = {}) {
  const clock = { now: Date.parse("2026-11-30T12:58:00Z") };
  const { count, stores } = countedQueries();
  const rig = harness({ ...stores, now: () => clock.now, ...overrides });
  const { platform, mail } = rig;
  platform.settings = { ...platform.settings, plan: planLimits.free };
  const queriesOf = async (work: () => Promise<unknown>) => {
    count.queries = 0;
    await work();
    return count.queries;
  };
  const schedule = async (owner: string, dataset: string, more: object = {}) => {
    const wanted = newScheduleSchema.parse(aSchedule(dataset, { everyHours: 1, ...more }));
    const created = await createSchedule(platform, anAccount(owner), wanted);
    return created.ok ? created.value.id : expect.unreachable(JSON.stringify(created.error));
  };
  return {
    ...rig,
    clock,
    queriesOf,
    schedule,
    starts: async (id: string) => (await platform.schedules.runs(submissionsOf(id), 100)).length,
    /** Delivers messages of ticks and `kinds`, drops all others, and returns the queries of each. */
    deliverTicks: async (...kinds: string[]) => {
      const each: number[] = [];
      for (let message = mail.finish.shift(); message; message = mail.finish.shift()) {
        if (!["ticks", ...kinds].includes(message.kind)) continue;
        each.push(await queriesOf(() => deliver(platform, "finish", message)));
      }
      return each;
    },
  };
}

describe("many schedules of one account on the Free plan", () => {
  it("delay no deletion and no other account, and no invocation exceeds its queries", async () => {
    const rig = onFree();
    const { platform, clock, deliverAll, schedule, queriesOf } = rig;
    const dataset = await relayDataset(platform, 2);
    const deleted = await submitRun(platform, dataset);
    await deliverAll();
    for (let i = 0; i < 60; i++) await schedule("mallory", dataset);
    const other = await schedule("acme", dataset);
    await deleteRun(platform, anAccount("acme"), deleted);
    clock.now = (await platform.schedules.get(other))!.nextAt + 60 * MINUTE_MS;
    const turns: number[] = [];
    const ticks: number[] = [];
    for (let turn = 0; turn < planLimits.free.cronTurns; turn++) {
      turns.push(await queriesOf(() => runCron(platform)));
      ticks.push(...(await rig.deliverTicks()));
      clock.now += MINUTE_MS;
    }
    expect(await platform.runs.get(deleted)).toBeNull();
    expect(await rig.starts(other)).toBe(1);
    expect(ticks).toHaveLength(20);
    expect(Math.max(...turns, ...ticks)).toBeLessThanOrEqual(40);
  });
});

describe("slow streams", () => {
  it("delay neither the cron job nor another account, since each has its own invocation", async () => {
    let isSlow = false;
    let rows = 0;
    const rig = onFree({
      fetchRows: async (): Promise<FetchedRows> => {
        if (isSlow) clock.now += 59_000;
        const row = () => JSON.stringify({ id: `s${rows++}`, first: `w ${rows}`, expected: "x" });
        const file = new TextEncoder().encode([row(), row(), row()].join("\n"));
        return { kind: "rows", file, etag: null };
      },
    });
    const { platform, clock, schedule, mail } = rig;
    const stream = { url: "http://127.0.0.1:8790/r.jsonl", samplesPerVersion: 2, keepVersions: 2 };
    const slow: string[] = [];
    for (let i = 0; i < 5; i++) {
      slow.push(await schedule("mallory", `mallory/s${i}`, { stream: { ...stream, anchor: 0 } }));
    }
    const other = await schedule("acme", await relayDataset(platform, 2));
    isSlow = true;
    clock.now += 2 * 60 * MINUTE_MS;
    platform.settings = { ...platform.settings, plan: planLimits.paid };
    const begun = clock.now;
    await runCron(platform);
    expect(clock.now).toBe(begun);
    const each = await rig.deliverTicks();
    expect(await rig.starts(other)).toBe(1);
    expect(Math.max(...each)).toBeLessThanOrEqual(45);
    // Two slow streams take more than a minute, so the next turn sends the others again.
    expect(clock.now - begun).toBe(2 * 59_000);
    expect(await Promise.all(slow.map(rig.starts))).toEqual(
      expect.arrayContaining([0, 0, 0, 1, 1]),
    );
    await runCron(platform);
    expect(mail.finish.filter(({ kind }) => kind === "ticks")).toMatchObject([
      { schedules: expect.toSatisfy((ids: string[]) => ids.length === 3) },
    ]);
  });
});

it("a tick that draws a version and deletes older ones fits an invocation of the Free plan", async () => {
  let rows = 0;
  const rig = onFree({
    fetchRows: async (): Promise<FetchedRows> => {
      const row = () => JSON.stringify({ id: `s${rows++}`, first: `w ${rows}`, expected: "x" });
      const file = new TextEncoder().encode(Array.from({ length: 30 }, row).join("\n"));
      return { kind: "rows", file, etag: null };
    },
  });
  const name = `acme/stream-${crypto.randomUUID().slice(0, 8)}`;
  const stream = { url: "http://127.0.0.1:8790/r.jsonl", samplesPerVersion: 3, anchor: 20 };
  const tick = async (id: string) => {
    rig.clock.now = (await rig.platform.schedules.get(id))!.nextAt;
    const each: number[] = [];
    for (let turn = 0; turn < planLimits.free.cronTurns; turn++) {
      rig.clock.now += MINUTE_MS;
      await runCron(rig.platform);
      each.push(...(await rig.deliverTicks("old-versions")));
    }
    await rig.deliverAll();
    return each;
  };
  const many = await rig.schedule("acme", name, { stream: { ...stream, keepVersions: 30 } });
  for (let version = 0; version < 5; version++) await tick(many);
  const few = await rig.schedule("acme", name, { stream: { ...stream, keepVersions: 2 } });
  await rig.platform.schedules.remove(many);
  const old = () => rig.platform.datasets.versionsBeyond("relay", name, 2, 9);
  expect(await old()).toHaveLength(5);
  const queries = await tick(few);
  expect(await old()).toEqual([]);
  expect(Math.max(...queries)).toBeLessThanOrEqual(50);
});

it("stuck ticks are repeated once each, in turns by account", async () => {
  const rig = onFree();
  const { platform, clock, schedule, starts } = rig;
  const dataset = await relayDataset(platform, 2);
  const [first, second] = [await schedule("mallory", dataset), await schedule("mallory", dataset)];
  const other = await schedule("acme", dataset);
  const { insert } = platform.runs;
  platform.runs.insert = async () => {
    throw new Error("died");
  };
  for (const id of [first, second, other]) {
    clock.now += 1_000;
    const { nextAt: dueAt } = (await platform.schedules.get(id))!;
    const nextAt = clock.now + 60 * MINUTE_MS;
    await platform.schedules.claim({ id, dueAt, nextAt, tickAt: dueAt, now: clock.now });
  }
  clock.now += 3 * MINUTE_MS;
  const waiting = () => platform.schedules.waiting(clock.now, clock.now - 2 * MINUTE_MS, 10);
  const [one, two, three] = await waiting();
  expect([one, two].toSorted()).toEqual([first, other].toSorted());
  expect(three).toBe(second);
  const tick = { v: 1, kind: "ticks", schedules: [first], until: clock.now };
  await deliver(platform, "finish", tick);
  // The repeated tick failed again, so the others come first.
  expect(await waiting()).not.toContain(first);
  platform.runs.insert = insert;
  await deliver(platform, "finish", tick);
  expect(await starts(first)).toBe(0);
  clock.now += 3 * MINUTE_MS;
  await Promise.all([1, 2].map(() => deliver(platform, "finish", tick)));
  expect(await starts(first)).toBe(1);
  expect(await waiting()).not.toContain(first);
});
