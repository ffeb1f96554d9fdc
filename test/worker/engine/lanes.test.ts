import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { LeaseTaking } from "../../../api/engine/lease-store.ts";
import { laneMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryStorage } from "../../../api/platform/retry-storage.ts";
import {
  answering,
  aRow,
  deliver,
  emptyCommit,
  harness,
  relayDataset,
  someUnits,
  submitRun,
  wish,
} from "../support/harness.ts";

const prices = { inputPerMillion: 1000, outputPerMillion: 1000 };

/** A run at an endpoint of its own, or at a given one, that wants so many requests at once. */
async function runOf(
  platform: Platform,
  samples: number,
  concurrency: number,
  origin = crypto.randomUUID(),
) {
  const endpoint = { baseUrl: `http://${origin}.test/v1`, model: "m" };
  const models = [{ name: "M", slug: `acme/${crypto.randomUUID().slice(0, 8)}`, endpoint, prices }];
  const options = { concurrency };
  return submitRun(platform, await relayDataset(platform, samples), { models, options });
}

const slotsOf = (taking: LeaseTaking) => (taking.kind === "taken" ? taking.slots : 0);

describe("slots", () => {
  it("of a run's lanes add up to the concurrency asked for", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 12);
    const takings = [];
    for (const lane of [0, 1, 2]) {
      takings.push(await platform.runs.takeLease({ ...wish(run, 0, 60_000), lane }));
    }
    expect(takings.map(slotsOf)).toEqual([5, 5, 2]);
  });

  it("of a lane are five at most, also where no other lane works", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 12);
    // The seats that other lanes were given have expired.
    const later = Date.now() + 3_600_000;
    expect(slotsOf(await platform.runs.takeLease(wish(run, later, later + 60_000)))).toBe(5);
  });

  it("of runs at one endpoint stay within the cap: lanes without a seat wait", async () => {
    const { platform } = harness();
    platform.settings = { ...platform.settings, endpointConcurrencyMax: 8 };
    const origin = crypto.randomUUID();
    const runs = [await runOf(platform, 40, 20, origin), await runOf(platform, 40, 20, origin)];
    const take = (run: string, lane: number) =>
      platform.runs.takeLease({ ...wish(run, 0, 60_000), lane, endpointCap: 8 });
    const takings = [];
    for (const lane of [0, 1]) for (const run of runs) takings.push(await take(run, lane));
    expect(takings.map(slotsOf)).toEqual([5, 0, 3, 0]);
    expect(takings[1]).toEqual({ kind: "waiting" });
  });

  it("halve when the endpoint is overloaded and grow back while it answers", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 400, 40);
    await platform.runs.takeLease(wish(run, 0, 600_000));
    const limits = [];
    for (const [i, overloads] of [1, 1, 0, 0].entries()) {
      const now = 2_000 * (i + 1);
      const answered = overloads > 0 ? 0 : 1;
      await platform.runs.commit({
        ...emptyCommit(run, now, 600_000),
        commits: i,
        answered,
        overloads,
      });
      limits.push((await platform.runs.get(run))?.slotLimit);
    }
    expect(limits).toEqual([20, 10, 12, 14]);
  });

  it("shrink once for several overloads within a second", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 40);
    await platform.runs.takeLease(wish(run, 0, 600_000));
    for (const commits of [0, 1, 2]) {
      await platform.runs.commit({ ...emptyCommit(run, 5_000, 600_000), commits, overloads: 3 });
    }
    expect((await platform.runs.get(run))?.slotLimit).toBe(20);
  });
});

describe("a commit", () => {
  it("that comes again, since its reply was lost, gives the same units and counts once", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    const commit = { ...emptyCommit(run, 1, 60_000), rows: [aRow(run, 0)], claim: someUnits(7) };
    const first = await platform.runs.commit(commit);
    expect(await platform.runs.commit(commit)).toEqual(first);
    expect(first?.claimed).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await platform.runs.get(run)).toMatchObject({ done: 1, cursor: 7, inputTokens: 100 });
  });

  it("of many samples fits into one statement, whose text and parameters don't grow with them", async () => {
    const { platform } = harness();
    const samples = 2_000;
    const run = await runOf(platform, samples, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    const rows = Array.from({ length: samples }, (_, seq) => aRow(run, seq));
    const commit = { ...emptyCommit(run, 1, 60_000), rows, claim: someUnits(samples) };
    await expect(platform.runs.commit(commit)).resolves.toMatchObject({ done: samples });
  });

  it("is sent again by the platform after a fault, also one after it was applied", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    let calls = 0;
    const flaky: Platform = {
      ...platform,
      sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
      runs: {
        ...platform.runs,
        async commit(commit) {
          calls += 1;
          const result = await platform.runs.commit(commit);
          if (calls < 3) throw new Error("D1_ERROR: Network connection lost.");
          return result;
        },
      },
    };
    const commit = { ...emptyCommit(run, 1, 60_000), rows: [aRow(run, 0)], claim: someUnits(7) };
    const result = await retryStorage(flaky, {
      now: flaky.now,
      sleep: flaky.sleep,
      random: Math.random,
    }).runs.commit(commit);
    expect(result).toMatchObject({ done: 1, remaining: 33 });
    expect(calls).toBe(3);
  });
});

describe("a claim", () => {
  const share = { oneIn: 4, least: 3, most: 8, lastRound: 10, atOnce: 2 };

  it.each([
    ["no more than the most", 100, 8],
    ["a share, rounded up", 25, 7],
    ["no less than the least", 11, 3],
    ["in the last round what can be begun", 10, 2],
    ["what there is", 1, 1],
    ["nothing of nothing", 0, 0],
  ])("gives %s, by what is left when it is made", async (_, left, given) => {
    const { platform } = harness();
    const run = await runOf(platform, 120, 12);
    await platform.runs.takeLease({ ...wish(run, 0, 60_000), claim: 120 - left });
    const result = await platform.runs.commit({ ...emptyCommit(run, 1, 60_000), claim: share });
    expect([result?.claimed.length, result?.remaining]).toEqual([given, left - given]);
  });

  it("has no last round before the endpoint can take as many requests as units are left", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 120, 5);
    await platform.runs.takeLease({ ...wish(run, 0, 60_000), claim: 110 });
    const result = await platform.runs.commit({ ...emptyCommit(run, 1, 60_000), claim: share });
    expect(result?.claimed).toHaveLength(3);
  });

  it("gives nothing of a run that is paused", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    await platform.runs.pause(run, null);
    const result = await platform.runs.commit({ ...emptyCommit(run, 1, 60_000), claim: share });
    expect(result).toMatchObject({ claimed: [], remaining: 40, status: "paused" });
  });
});

describe("an endpoint that asks for later calls", () => {
  it("is left alone until then, and the run continues afterwards", async () => {
    let clock = Date.now();
    let blocked = true;
    const asked: number[] = [];
    const answer = answering(() => ({}));
    const { platform, mail, deliverAll } = harness({
      now: () => clock,
      ask: async (...request) => {
        asked.push(clock);
        return blocked ? { kind: "postponed", until: clock + 60_000 } : answer(...request);
      },
    });
    const run = await runOf(platform, 10, 5);
    await deliver(platform, "evaluate", mail.evaluate.shift());
    expect(asked).toHaveLength(5);
    expect(await platform.runs.get(run)).toMatchObject({
      status: "running",
      notBefore: clock + 60_000,
    });
    await deliver(platform, "evaluate", mail.evaluate[0]);
    expect(asked).toHaveLength(5);
    clock += 60_000;
    blocked = false;
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      done: 10,
      failed: 0,
      blockedSince: null,
    });
  });

  it("for more than an hour is recorded as a failure", async () => {
    let clock = Date.now();
    const wishes: boolean[] = [];
    const { platform, mail, deliverAll } = harness({
      now: () => clock,
      async ask(_target, _request, limits) {
        wishes.push(limits.mayPostpone);
        if (limits.mayPostpone) return { kind: "postponed", until: clock + 1_800_000 };
        return answering(() => ({
          output: null,
          error: { class: "rate_limited", message: "429" },
        }))(_target, _request, limits, {} as never);
      },
    });
    const run = await runOf(platform, 5, 5);
    for (let i = 0; i < 3; i++) {
      await deliver(platform, "evaluate", mail.evaluate.shift());
      clock += 1_800_000;
    }
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 5, failed: 5 });
  });
});

describe("maxCostUsd", () => {
  const limit = (run: string, usd: number) =>
    env.DB.prepare("UPDATE runs SET max_cost_usd = ? WHERE id = ?").bind(usd, run).run();

  it("pauses the run when it is reached", async () => {
    const { platform, deliverAll } = harness();
    const run = await runOf(platform, 100, 5);
    await limit(run, 0.3);
    await deliverAll();
    const paused = await platform.runs.get(run);
    expect(paused).toMatchObject({ status: "paused", statusReason: "maxCostUsd is reached" });
    expect(paused?.done).toBeLessThan(60);
  });

  it("pauses a run whose endpoint gives no token counts", async () => {
    const { platform, deliverAll } = harness({ ask: answering(() => ({ inputTokens: null })) });
    const run = await runOf(platform, 100, 5);
    await limit(run, 100);
    await deliverAll();
    expect((await platform.runs.get(run))?.statusReason).toContain("no token counts");
  });
});

describe("a lane's time", () => {
  /** A run in one lane, or one lane of it, at an endpoint that takes so long; others wait as `waiting` says. */
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
    const made = harness({
      now: () => clock,
      sleep: () => new Promise((resolve) => setTimeout(resolve, 5)),
      async ask(...request) {
        // A first call longer than a span ends with a look.
        if (calls++ > 0 && callMs > 1_000) await vi.waitUntil(() => looks.length > 0, 10_000);
        return ask(...request);
      },
    });
    const commits: { size: number; kept: number; rows: number; remaining: number }[] = [];
    const { runs, settings } = made.platform;
    made.platform.settings = { ...settings, endpointConcurrencyMax: cap };
    const run = await runOf(made.platform, samples, concurrency);
    made.platform.runs = {
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
    await deliver(made.platform, "evaluate", made.mail.evaluate.splice(lane, 1)[0]);
    const left = await made.platform.runs.get(run);
    return { looks, commits, mail: made.mail.evaluate, left };
  }

  it("continues, span after span, while no lane waits", async () => {
    const { looks, mail, left } = await oneLane(300, () => false);
    expect(looks.length).toBeGreaterThan(1);
    expect([left?.done, mail.length]).toEqual([60, 0]);
  });

  it("ends after four minutes, also where no lane waits: it hands itself on", async () => {
    const { looks, mail, left } = await oneLane(240_000, () => false, { concurrency: 1 });
    expect(looks).toHaveLength(1);
    expect([left?.done, mail.length]).toEqual([1, 1]);
  });

  it("ends after its span where a lane waits: it hands itself on", async () => {
    const { looks, mail, left } = await oneLane(300, () => true);
    expect(looks).toHaveLength(1);
    expect(left?.done).toBeLessThan(60);
    expect(mail).toHaveLength(1);
  });

  it("claims in the last round of a slow run what it can begin, since others would wait for more", async () => {
    const sizesOf = async (hasOther: boolean) => {
      const its = { samples: 100, concurrency: 60, cap: 3, hasOther };
      const slow = await oneLane(300, () => false, its);
      const claims = slow.commits.filter(({ size }) => size > 0);
      const sizes = (last: boolean) =>
        claims.filter(({ remaining }) => remaining <= 24 === last).map(({ size }) => size);
      return [Math.min(...sizes(false)), Math.max(...sizes(true))];
    };
    expect(await sizesOf(true)).toEqual([5, 2]);
    // Alone, it need not wait for a slot.
    expect(await sizesOf(false)).toEqual([5, 5]);
    const quick = await oneLane(1, () => false);
    expect(quick.commits.filter(({ size }) => size > 0)).toMatchObject([
      { size: 30, remaining: 30 },
    ]);
  });

  it("saves finished samples together, not with each claim, and holds those it has not saved", async () => {
    const { commits } = await oneLane(50, () => false);
    const [first, second] = commits;
    expect(first).toEqual({ size: 30, kept: 30, rows: 0, remaining: 30 });
    expect(second?.rows).toBeGreaterThan(30);
    expect(commits.reduce((sum, { rows }) => sum + rows, 0)).toBe(60);
  });

  it("begins with another number of units than others, and saves another first group", async () => {
    const begun = [];
    const saved = [];
    for (const lane of [0, 5, 11]) {
      const its = { samples: 600, concurrency: 60, lane };
      const { commits } = await oneLane(120, () => false, its);
      begun.push(commits[0]?.kept);
      saved.push(commits.find(({ rows }) => rows > 0)?.rows ?? 0);
    }
    expect(begun).toEqual([7, 15, 25]);
    expect(saved).toEqual(saved.toSorted((a, b) => a - b));
    expect(new Set(saved).size).toBe(3);
  });
});

describe("a lane whose holders crash", () => {
  it("five times has the unit that it began with recorded as lost, and no other, and the run ends", async () => {
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

  it("whose message is dead gives up what it held", async () => {
    let clock = Date.now();
    const { platform, mail, deliverAll } = harness({ now: () => clock });
    const run = await runOf(platform, 10, 5);
    const message = mail.evaluate.shift();
    await platform.runs.takeLease(wish(run, clock, clock + 10));
    await platform.runs.commit({ ...emptyCommit(run, clock, clock + 10), claim: someUnits(3) });
    clock += 1_000;
    expect(await deliver(platform, "dead", message)).toBe("ack");
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 10, failed: 3 });
  });
});
