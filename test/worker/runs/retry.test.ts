import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { finalizeRun } from "../../../api/engine/finalize.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { scoresKey } from "../../../api/runs/run-objects.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import type { Answer } from "../../../shared/contracts/answer.ts";
import type { RunScores } from "../../../shared/contracts/runs/run-scores.ts";
import type { RetryRequest } from "../../../shared/contracts/submissions/run-requests.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import {
  anAccount,
  deliver,
  emptyCommit,
  harness,
  relayDataset,
  someUnits,
  submitRun,
  upperCasing,
  wish,
} from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const owner = anAccount("acme");
const key: RetryRequest = { endpoint: { apiKey: "sk-second" } };

/** A model that fails on words that end in 3 until it is mended, and records its requests. */
function faulty(overrides: Partial<Platform> = {}) {
  const state = { mended: false, asked: [] as string[], keys: new Set<string | undefined>() };
  const ask: AskModel = async (target, request, ...rest) => {
    const content = request.messages.at(-1)?.content ?? "";
    state.asked.push(content);
    state.keys.add(target.apiKey);
    const reply = await upperCasing(target, request, ...rest);
    if (reply.kind !== "answer" || state.mended || !/3$/.test(content)) return reply;
    const error = { class: "server_error" as const, message: "500" };
    return { kind: "answer", answer: { ...reply.answer, output: null, error } };
  };
  return { ...harness({ ask, ...overrides }), state };
}

/** A finished run of 30 samples with three failures; the model is mended by now. */
async function withFailures(overrides: Partial<Platform> = {}) {
  const rig = faulty(overrides);
  const dataset = await relayDataset(rig.platform, 30);
  const run = await submitRun(rig.platform, dataset, { options: { concurrency: 10 } });
  await rig.deliverAll();
  expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", failed: 3 });
  rig.state.mended = true;
  rig.state.asked.length = 0;
  rig.state.keys.clear();
  return { ...rig, run, dataset };
}

const dayAfter = (time: number) => time + 86_400_000;

describe("retryRun()", () => {
  it("is not overwritten by a late summary of the earlier answers", async () => {
    const rig = faulty();
    const dataset = await relayDataset(rig.platform, 30);
    const run = await submitRun(rig.platform, dataset, { options: { concurrency: 10 } });
    while (rig.mail.evaluate.length > 0) {
      await deliver(rig.platform, "evaluate", rig.mail.evaluate.shift());
    }
    const { finish } = rig.platform.runs;
    const late: Platform = { ...rig.platform, runs: { ...rig.platform.runs } };
    late.runs.finish = async (...args) => {
      await finalizeRun(rig.platform, run);
      expect(await retryRun(rig.platform, owner, run, key)).toMatchObject({ ok: true });
      return finish(...args);
    };
    await finalizeRun(late, run);
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "running", done: 27 });
    rig.state.mended = true;
    await rig.deliverAll();
    const after = await rig.platform.runs.get(run);
    expect(after).toMatchObject({ status: "finished", done: 30, failed: 0 });
    expect(after?.metrics?.["passed"]).toMatchObject({ value: 1, n: 30 });
  });

  it("asks the failed samples again in the same run, and replaces its metrics", async () => {
    const { platform, deliverAll, state, run, dataset } = await withFailures();
    const before = await platform.runs.get(run);
    expect(before?.metrics?.["passed"]?.value).toBeCloseTo(0.9);
    const retried = await retryRun(platform, owner, run, key);
    expect(retried).toMatchObject({
      ok: true,
      value: { status: "running", done: 27, failed: 0, metrics: null, finishedAt: null },
    });
    await deliverAll();
    expect(state.asked.toSorted()).toEqual([
      "again: WORD 13",
      "again: WORD 23",
      "again: WORD 3",
      "word 13",
      "word 23",
      "word 3",
    ]);
    const after = (await platform.runs.get(run)) as RunRecord;
    expect((await platform.objects.get<RunScores>(scoresKey(after)))?.ids).toHaveLength(30);
    expect(after).toMatchObject({ status: "finished", done: 30, failed: 0, inputTokens: 300 });
    expect(after?.metrics?.["passed"]).toMatchObject({ value: 1, n: 30 });
    const today = new Date(platform.now()).toISOString().slice(0, 10);
    expect(after?.notes).toEqual([`3 failed samples were asked again on ${today}`]);
    const board = await platform.boards.find("relay", dataset, null);
    expect(board?.entries[0]?.headline.value).toBe(1);
  });

  it("uses the secrets of the request and deletes them afterwards", async () => {
    const { platform, deliverAll, state, run } = await withFailures();
    await retryRun(platform, owner, run, key);
    const running = await platform.runs.get(run);
    expect(running?.sealedSecrets).not.toContain("sk-second");
    await deliverAll();
    expect([...state.keys]).toEqual(["sk-second"]);
    expect((await platform.runs.get(run))?.sealedSecrets).toBeNull();
  });

  it("overwrites no earlier answer", async () => {
    let clock = Date.parse("2026-11-21T10:00:00Z");
    const { runs, settings } = harness().platform;
    const { platform, deliverAll, run } = await withFailures({
      now: () => (clock += 30),
      settings: { ...settings, laneSpanMaxMs: 12 },
      // Each lane yields, so there are several attempts.
      runs: { ...runs, isToYield: async () => true },
    });
    const folder = `runs/${run}/answers/`;
    const kept = await platform.objects.keys(folder);
    expect(kept.filter((name) => /-2-\d+\.json$/.test(name))).not.toEqual([]);
    const contents = await Promise.all(kept.map((name) => platform.objects.get(name)));
    await retryRun(platform, owner, run, key);
    await deliverAll();
    expect(await Promise.all(kept.map((name) => platform.objects.get(name)))).toEqual(contents);
    expect((await platform.objects.keys(folder)).length).toBeGreaterThan(kept.length);
  });

  it("repeats whole units, since their samples depend on each other", async () => {
    const pairs: Suite = {
      ...relaySuite,
      plan: (heads) => heads.flatMap((_, i) => (i % 2 ? [] : [{ samples: [i, i + 1], repeat: 0 }])),
      next({ samples }, replies) {
        if (replies.length === 2) return { kind: "done", answers: replies as Answer[] };
        const content = (samples as { first: string }[])[replies.length]?.first ?? "";
        return { kind: "ask", request: { messages: [{ role: "user", content }] } };
      },
    };
    const suites = { all: [pairs], byId: () => pairs };
    const { platform, deliverAll, state, run } = await withFailures({ suites });
    await retryRun(platform, owner, run, key);
    expect(await platform.runs.get(run)).toMatchObject({ done: 24, failed: 0 });
    await deliverAll();
    const pairsOfFailed = [2, 3, 12, 13, 22, 23].map((i) => `word ${i}`);
    expect(state.asked.toSorted()).toEqual(pairsOfFailed.toSorted());
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 30, failed: 0 });
  });

  it("excludes the time between end and retry from the run's times", async () => {
    let clock = Date.parse("2026-11-21T10:00:00Z");
    const { platform, deliverAll, run } = await withFailures({ now: () => clock++ });
    clock = dayAfter(clock);
    await retryRun(platform, owner, run, key);
    await deliverAll();
    const rows = await platform.runs.samples(run, -1, 100);
    for (const { doneMs, queueWaitMs } of rows) {
      expect(doneMs).toBeLessThan(60_000);
      expect(queueWaitMs).toBeLessThan(60_000);
    }
    const after = await platform.runs.get(run);
    expect(after?.notes).toEqual(["3 failed samples were asked again on 2026-11-22"]);
    expect(after?.idleMs).toBeGreaterThan(86_000_000);
  });

  it("carries out one of two concurrent calls", async () => {
    const { platform, deliverAll, state, run } = await withFailures();
    const both = await Promise.all([
      retryRun(platform, owner, run, key),
      retryRun(platform, owner, run, key),
    ]);
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ error: { type: "conflict" } });
    await deliverAll();
    expect(state.asked).toHaveLength(6);
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 30, failed: 0 });
    expect((await platform.runs.get(run))?.notes).toHaveLength(1);
  });

  it("succeeds when its reply was lost and it is sent again", async () => {
    const lossy = await withFailures();
    const { retry } = lossy.platform.runs;
    lossy.platform.runs.retry = async (wanted) => (await retry(wanted)) && (await retry(wanted));
    expect(await retryRun(lossy.platform, owner, lossy.run, key)).toMatchObject({ ok: true });
  });

  it("is continued by the cron job if its messages were lost", async () => {
    let clock = Date.now();
    const { platform, mail, deliverAll, run } = await withFailures({ now: () => clock });
    clock = dayAfter(clock);
    await retryRun(platform, owner, run, key);
    mail.evaluate.length = 0;
    clock += 120_000;
    await runCron(platform);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 30, failed: 0 });
  });

  it("continues a failed run: failed, held and unclaimed units", async () => {
    const { platform, deliverAll, state } = faulty();
    state.mended = true;
    const run = await submitRun(platform, await relayDataset(platform, 40));
    const clock = platform.now();
    await platform.runs.takeLease(wish(run, clock, clock + 60_000));
    await platform.runs.commit({
      ...emptyCommit(run, clock, clock + 60_000),
      claim: someUnits(25),
    });
    await platform.runs.fail(run, "broken", clock);
    await retryRun(platform, owner, run, key);
    expect(
      await platform.runs.commit({ ...emptyCommit(run, clock, clock), commits: 1 }),
    ).toBeNull();
    await deliverAll();
    const after = await platform.runs.get(run);
    expect(after).toMatchObject({ status: "finished", done: 40, failed: 0, statusReason: null });
    expect(state.asked).toHaveLength(80);
    expect(after?.notes[0]).toMatch(/^40 without an answer so far were asked on/);
  });

  it("starts a run that failed before its start", async () => {
    const { platform, mail, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    mail.evaluate.length = 0;
    await platform.runs.fail(run, "broken", platform.now());
    await retryRun(platform, owner, run, key);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 3, idleMs: 0 });
  });

  it("summarises a failed run that has all samples", async () => {
    const { platform, mail, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    while (mail.evaluate.length > 0) await deliver(platform, "evaluate", mail.evaluate.shift());
    await platform.runs.fail(run, "broken", platform.now());
    mail.finish.length = 0;
    expect((await retryRun(platform, owner, run, key)).ok).toBe(true);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 3 });
  });

  it("leaves no lease after the run has finished", async () => {
    const { platform, deliverAll, run } = await withFailures();
    await retryRun(platform, owner, run, key);
    await deliverAll();
    const leases = env.DB.prepare("SELECT count(*) AS n FROM leases WHERE run_id = ?").bind(run);
    expect(await leases.first("n")).toBe(0);
  });
});
