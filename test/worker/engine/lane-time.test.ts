import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { laneMessage } from "../../../api/platform/messages.ts";
import { answering, deliver, emptyCommit, harness, someUnits, wish } from "../support/harness.ts";
import { runOf } from "../support/lane-run.ts";

describe("a lane's time", () => {
  /** Runs one lane at an endpoint that takes `callMs` per request; `waiting` tells whether other lanes wait. */
  async function oneLane(
    callMs: number,
    waiting: () => boolean,
    { samples = 60, concurrency = 5, lane = 0, cap = 1_000, hasOther = false } = {},
  ) {
    let clock = Date.parse("2026-11-21T10:00:00Z");
    let calls = 0;
    const looks: number[] = [];
    const ask = answering(() => {
      clock += callMs;
      return {};
    });
    const rig = harness({
      now: () => clock,
      sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
      async ask(...request) {
        // A first call that is longer than a span ends with a check.
        if (calls++ > 0 && callMs > 1_000) await vi.waitUntil(() => looks.length > 0, 10_000);
        return ask(...request);
      },
    });
    const commits: { size: number; kept: number; rows: number; remaining: number }[] = [];
    const { runs, settings } = rig.platform;
    rig.platform.settings = { ...settings, endpointConcurrencyMax: cap };
    const run = await runOf(rig.platform, samples, concurrency);
    rig.platform.runs = {
      ...runs,
      isToYield: async ({ now }) => {
        looks.push(now);
        return waiting();
      },
      commit: async (commit) => {
        const result = await runs.commit(commit);
        const [size, remaining] = [result?.claimed.length ?? 0, result?.remaining ?? 0];
        const [kept, rows] = [commit.keep.length, commit.rows.length];
        commits.push({ size, kept, rows, remaining: remaining + size });
        return result;
      },
    };
    if (hasOther) {
      const working = env.DB.prepare(
        "INSERT INTO leases (run_id, lane, attempt, holder, slots, endpoint_origin, place, pending, expires_at) SELECT run_id, 11, 1, 'x', 1, endpoint_origin, 11, '[]', expires_at + 1e9 FROM leases WHERE run_id = ?",
      );
      await working.bind(run).run();
    }
    await deliver(rig.platform, "evaluate", rig.mail.evaluate.splice(lane, 1)[0]);
    const left = await rig.platform.runs.get(run);
    return { looks, commits, mail: rig.mail.evaluate, left };
  }

  it("continues beyond its span while no lane waits", async () => {
    const { looks, mail, left } = await oneLane(300, () => false);
    expect(looks.length).toBeGreaterThan(1);
    expect([left?.done, mail.length]).toEqual([60, 0]);
  });

  it("ends after four minutes even if no lane waits, and another message continues it", async () => {
    const { looks, mail, left } = await oneLane(240_000, () => false, { concurrency: 1 });
    expect(looks).toHaveLength(1);
    expect([left?.done, mail.length]).toEqual([1, 1]);
  });

  it("ends after its span if a lane waits, and another message continues it", async () => {
    const { looks, mail, left } = await oneLane(300, () => true);
    expect(looks).toHaveLength(1);
    expect(left?.done).toBeLessThan(60);
    expect(mail).toHaveLength(1);
  });

  it("claims only as many units as it can start in the last round of a slow run with other lanes", async () => {
    const sizesOf = async (hasOther: boolean) => {
      const options = { samples: 100, concurrency: 60, cap: 3, hasOther };
      const slow = await oneLane(300, () => false, options);
      const claims = slow.commits.filter(({ size }) => size > 0);
      const sizes = (last: boolean) =>
        claims.filter(({ remaining }) => remaining <= 24 === last).map(({ size }) => size);
      return [Math.min(...sizes(false)), Math.max(...sizes(true))];
    };
    expect(await sizesOf(true)).toEqual([5, 2]);
    // A single lane does not wait for a slot.
    expect(await sizesOf(false)).toEqual([5, 5]);
    const quick = await oneLane(1, () => false);
    expect(quick.commits.filter(({ size }) => size > 0)).toMatchObject([
      { size: 30, remaining: 30 },
    ]);
  });

  it("saves finished samples in groups, and keeps its claim on samples that are not saved", async () => {
    const { commits } = await oneLane(50, () => false);
    const [first, second] = commits;
    expect(first).toEqual({ size: 30, kept: 30, rows: 0, remaining: 30 });
    expect(second?.rows).toBeGreaterThan(30);
    expect(commits.reduce((sum, { rows }) => sum + rows, 0)).toBe(60);
  });

  it("differs from other lanes in its first claim and its first saved group", async () => {
    const begun = [];
    const saved = [];
    for (const lane of [0, 5, 11]) {
      const options = { samples: 600, concurrency: 60, lane };
      const { commits } = await oneLane(120, () => false, options);
      begun.push(commits[0]?.kept);
      saved.push(commits.find(({ rows }) => rows > 0)?.rows ?? 0);
    }
    expect(begun).toEqual([7, 15, 25]);
    expect(saved).toEqual(saved.toSorted((a, b) => a - b));
    expect(new Set(saved).size).toBe(3);
  });
});

describe("a lane whose holders crash", () => {
  it("five times records its first unit as lost, and the run ends", async () => {
    let clock = Date.now();
    const { platform, mail, deliverAll } = harness({ now: () => clock });
    const run = await runOf(platform, 40, 5);
    mail.evaluate.length = 0;
    for (let i = 0; i < 6; i++) {
      await platform.runs.takeLease(wish(run, clock, clock + 30_000));
      const commits = { ...emptyCommit(run, clock, clock + 30_000), attempt: i + 1 };
      if (i === 0) await platform.runs.commit({ ...commits, claim: someUnits(4) });
      clock += 60_000;
    }
    mail.evaluate.push(laneMessage({ id: run, phase: "answering" }, { lane: 0, place: 0 }));
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 40, failed: 1 });
    expect((await platform.runs.samples(run, -1, 5))[0]).toMatchObject({
      errorClass: "lost",
      status: "unscored",
    });
  });

  it("leaves the answers that it has saved to the next, also after a rest or a lost reply", async () => {
    let clock = Date.now();
    let asked = 0;
    const ask = answering(() => {
      asked += 1;
      return {};
    });
    const { platform, mail, deliverAll } = harness({ now: () => clock, ask });
    const run = await runOf(platform, 5, 5);
    const [message] = mail.evaluate;
    const { commit } = platform.runs;
    platform.runs.commit = (its) =>
      its.rows.length === 0 ? commit(its) : Promise.reject(new Error("the isolate died"));
    vi.spyOn(console, "error").mockImplementation(() => {});
    await deliverAll();
    platform.runs.commit = commit;
    expect(asked).toBe(10);
    clock += 60_000;
    const rests = env.DB.prepare("UPDATE runs SET not_before = ?2 WHERE id = ?1");
    await rests.bind(run, clock + 5_000).run();
    await deliver(platform, "evaluate", message);
    expect(mail.evaluate).toHaveLength(1);
    clock += 10_000;
    const { takeLease } = platform.runs;
    platform.runs.takeLease = (its) => takeLease(its).then(() => takeLease(its));
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 5, failed: 0 });
    expect(asked).toBe(10);
  });

  it("until its message is dead gives up its units", async () => {
    let clock = Date.now();
    const { platform, mail, deliverAll } = harness({ now: () => clock });
    const run = await runOf(platform, 10, 5);
    const message = mail.evaluate.shift();
    await platform.runs.takeLease(wish(run, clock, clock + 10));
    await platform.runs.commit({ ...emptyCommit(run, clock, clock + 10), claim: someUnits(3) });
    // The message of a lane without a slot, while others have them all, says nothing about the run.
    await deliver(platform, "dead", { ...message, lane: 1 });
    clock += 1_000;
    expect(await deliver(platform, "dead", message)).toBe("ack");
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 10, failed: 3 });
  });
});
