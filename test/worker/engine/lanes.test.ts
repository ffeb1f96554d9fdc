import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { LeaseTaking } from "../../../api/engine/lease-store.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryStorage } from "../../../api/platform/retry-storage.ts";
import { runStore } from "../../../api/runs/store.ts";
import {
  answering,
  aRow,
  deliver,
  emptyCommit,
  harness,
  someUnits,
  wish,
} from "../support/harness.ts";
import { runOf } from "../support/lane-run.ts";

const slotsOf = (taking: LeaseTaking) => (taking.kind === "taken" ? taking.slots : 0);

describe("slots", () => {
  it("of a run's lanes add up to the requested concurrency", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 12);
    const takings = [];
    for (const lane of [0, 1, 2]) {
      takings.push(await platform.runs.takeLease({ ...wish(run, 0, 60_000), lane }));
    }
    expect(takings.map(slotsOf)).toEqual([5, 5, 2]);
  });

  it("are more per lane if the service has wider lanes", async () => {
    const { platform } = harness();
    const { takeLease } = runStore(env.DB, platform.objects, 20);
    const run = await runOf(platform, 100, 50);
    const takings = [];
    // The seats of the lanes of the submission have expired.
    const later = Date.now() + 3_600_000;
    for (const lane of [0, 1, 2])
      takings.push(await takeLease({ ...wish(run, later, later + 60_000), lane }));
    expect(takings.map(slotsOf)).toEqual([20, 20, 10]);
  });

  it("of a lane are five at most, even without other lanes", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 12);
    // The seats of other lanes have expired.
    const later = Date.now() + 3_600_000;
    expect(slotsOf(await platform.runs.takeLease(wish(run, later, later + 60_000)))).toBe(5);
  });

  it("of runs at one endpoint stay within the cap, and other lanes wait", async () => {
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
  it("that is repeated after a lost reply returns the same units and counts once", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    const commit = { ...emptyCommit(run, 1, 60_000), rows: [aRow(run, 0)], claim: someUnits(7) };
    const first = await platform.runs.commit(commit);
    expect(await platform.runs.commit(commit)).toEqual(first);
    expect(first?.claimed).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await platform.runs.get(run)).toMatchObject({ done: 1, cursor: 7, inputTokens: 100 });
  });

  it("of many samples fits into one statement with a constant text and number of parameters", async () => {
    const { platform } = harness();
    const samples = 2_000;
    const run = await runOf(platform, samples, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    const rows = Array.from({ length: samples }, (_, seq) => aRow(run, seq));
    const commit = { ...emptyCommit(run, 1, 60_000), rows, claim: someUnits(samples) };
    await expect(platform.runs.commit(commit)).resolves.toMatchObject({ done: samples });
  });

  it("is retried after an outage, even if it was already applied", async () => {
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
    ["the maximum", 100, 8],
    ["a share, rounded up", 25, 7],
    ["the minimum", 11, 3],
    ["what can be started, in the last round", 10, 2],
    ["the last unit", 1, 1],
    ["nothing if no unit is left", 0, 0],
  ])("gives %s; units left: %i, given: %i", async (_, left, given) => {
    const { platform } = harness();
    const run = await runOf(platform, 120, 12);
    await platform.runs.takeLease({ ...wish(run, 0, 60_000), claim: 120 - left });
    const result = await platform.runs.commit({ ...emptyCommit(run, 1, 60_000), claim: share });
    expect([result?.claimed.length, result?.remaining]).toEqual([given, left - given]);
  });

  it("has no last round while more units are left than the endpoint can take at once", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 120, 5);
    await platform.runs.takeLease({ ...wish(run, 0, 60_000), claim: 110 });
    const result = await platform.runs.commit({ ...emptyCommit(run, 1, 60_000), claim: share });
    expect(result?.claimed).toHaveLength(3);
  });

  it("gives no units of a paused run", async () => {
    const { platform } = harness();
    const run = await runOf(platform, 40, 5);
    await platform.runs.takeLease(wish(run, 0, 60_000));
    await platform.runs.pause(run, null);
    const result = await platform.runs.commit({ ...emptyCommit(run, 1, 60_000), claim: share });
    expect(result).toMatchObject({ claimed: [], remaining: 40, status: "paused" });
  });
});

describe("an endpoint that postpones calls", () => {
  it("gets no requests until then, and the run continues afterwards", async () => {
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

  it("for more than an hour fails its samples", async () => {
    let clock = Date.now();
    const blocked: (number | null)[] = [];
    const { platform, mail, deliverAll } = harness({
      now: () => clock,
      async ask(_target, _request, limits) {
        blocked.push(limits.blockedMs);
        if (limits.blockedMs !== null) return { kind: "postponed", until: clock + 1_800_000 };
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
    expect([...new Set(blocked)]).toEqual([0, 1_800_000, null]);
  });
});

describe("maxCostUsd", () => {
  it("pauses a run whose endpoint gives no token counts", async () => {
    const { platform, deliverAll } = harness({ ask: answering(() => ({ inputTokens: null })) });
    const run = await runOf(platform, 100, 5);
    await env.DB.prepare("UPDATE runs SET max_cost_usd = 100 WHERE id = ?").bind(run).run();
    await deliverAll();
    expect((await platform.runs.get(run))?.statusReason).toContain("no token counts");
  });
});
