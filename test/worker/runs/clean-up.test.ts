import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { partsKey, scoresKey } from "../../../api/runs/run-objects.ts";
import { latestSnapshot, problemOf, serve } from "../support/client.ts";
import {
  anAccount,
  answering,
  harness,
  relayDataset,
  submitRun,
  wish,
} from "../support/harness.ts";

const DAY_MS = 86_400_000;
const owner = anAccount("acme");

/** A finished run, and a platform with a clock that tests can advance. */
async function finishedRun(rawRetentionDays: number, models?: unknown) {
  const clock = { now: Date.parse("2026-11-21T00:00:00Z") };
  const settings = { ...harness().platform.settings, rawRetentionDays };
  const error = { class: "timeout" as const, message: "late" };
  const rig = harness({
    now: () => clock.now,
    settings,
    ask: answering(({ messages }) => (messages[0]?.content === "word 3" ? { error } : {})),
  });
  const run = await submitRun(rig.platform, await relayDataset(rig.platform, 12), {
    ...(models === undefined ? {} : { models }),
  });
  await rig.deliverAll();
  return { ...rig, clock, run, api: serve(rig.platform) };
}

const answersOf = async (platform: Platform, run: string) =>
  (await platform.objects.keys(`runs/${run}/`)).filter((key) => /answers\/|submitted-/.test(key));

describe("raw answers", () => {
  it("are deleted after the retention time; rows, metrics and breakdown stay", async () => {
    const { platform, clock, run, api } = await finishedRun(30);
    clock.now += 30 * DAY_MS - 1;
    await cleanUp(platform);
    expect((await answersOf(platform, run)).length).toBeGreaterThan(0);
    expect((await api.get(`/v1/runs/${run}/samples/s0`)).status).toBe(200);
    clock.now += 1;
    await cleanUp(platform);
    expect(await answersOf(platform, run)).toEqual([]);
    expect(await api.run(run)).toMatchObject({
      status: "finished",
      answersRemovedAt: "2026-12-21T00:00:00.000Z",
      metrics: { passed: { n: 12 } },
    });
    expect(await platform.runs.samples(run, -1, 100)).toHaveLength(12);
    expect(await platform.objects.keys(`runs/${run}/`)).toEqual(
      expect.arrayContaining([partsKey, scoresKey].map((key) => key({ id: run, retries: [] }))),
    );
  });

  it("of a public run are deleted from the site, too", async () => {
    const { platform, clock, run } = await finishedRun(30);
    await publish(platform);
    const { changes } = await platform.publications.state();
    clock.now += 30 * DAY_MS;
    await cleanUp(platform);
    expect((await platform.publications.state()).changes).toBe(changes + 1);
    await publish(platform);
    const listed = (await latestSnapshot(platform))?.runs.find(({ id }) => id === run);
    expect(listed?.answersRemovedAt).toBe("2026-12-21T00:00:00.000Z");
  });

  it("that were submitted are deleted, too", async () => {
    const answers = [{ id: "s0", output: "x" }];
    const models = [{ name: "Mine", slug: "acme/mine", answers }];
    const { platform, clock, run } = await finishedRun(1, models);
    expect(await answersOf(platform, run)).toContain(`runs/${run}/submitted-0.json`);
    clock.now += DAY_MS;
    await cleanUp(platform);
    expect(await answersOf(platform, run)).toEqual([]);
  });

  it("are kept for ever without a retention time", async () => {
    const { platform, clock, run } = await finishedRun(0);
    clock.now += 10_000 * DAY_MS;
    await cleanUp(platform);
    expect((await answersOf(platform, run)).length).toBeGreaterThan(0);
  });

  it("are unavailable after the retention time, even before the cron job runs", async () => {
    const { platform, clock, run, api } = await finishedRun(30);
    clock.now += 30 * DAY_MS;
    const sample = await api.get(`/v1/runs/${run}/samples/s0`);
    expect(sample.status).toBe(410);
    expect(await problemOf(sample)).toMatchObject({
      type: expect.stringContaining("/errors/gone/"),
      detail: `the raw answers of run "${run}" were deleted because of their age; its metrics and sample rows are kept`,
    });
    const detail = expect.stringContaining("were deleted because of their age");
    const conflict = { ok: false, error: { type: "conflict", detail } };
    expect(await rescoreRun(platform, owner, run, { options: {} })).toEqual(conflict);
    expect(await retryRun(platform, owner, run, { endpoint: { apiKey: "k" } })).toEqual(conflict);
  });

  it("are marked as deleted only after all are", async () => {
    const { platform, clock, run } = await finishedRun(30);
    clock.now += 30 * DAY_MS;
    const stuck: Platform = {
      ...platform,
      objects: { ...platform.objects, remove: async () => {} },
    };
    await cleanUp(stuck);
    expect((await platform.runs.get(run))?.answersRemovedAt).toBeNull();
    await cleanUp(platform);
    expect((await platform.runs.get(run))?.answersRemovedAt).toBe(clock.now);
  });

  it("of a deleted run are deleted with its rows, 5,000 rows per statement", async () => {
    const { platform, run } = await finishedRun(30);
    const { dropSamples } = platform.cleanup;
    expect([await dropSamples(run, 8), await dropSamples(run, 2)]).toEqual([8, 2]);
    const drop = vi.spyOn(platform.cleanup, "dropSamples");
    await platform.runs.remove(run, platform.now());
    await cleanUp(platform);
    expect(drop.mock.calls).toContainEqual([run, 5_000]);
  });

  it("of a deleted run are deleted in twenty steps per call, and the row last", async () => {
    const { platform, run } = await finishedRun(30);
    const drop = vi.spyOn(platform.cleanup, "dropSamples").mockResolvedValue(5_000);
    await platform.runs.remove(run, platform.now());
    await cleanUp(platform);
    expect(drop.mock.calls.length).toBeLessThan(20);
    expect(drop.mock.calls.length).toBeGreaterThan(10);
    const isThere = () =>
      env.DB.prepare("SELECT count(*) AS n FROM runs WHERE id = ?").bind(run).first("n");
    expect(await isThere()).toBe(1);
    drop.mockRestore();
    await cleanUp(platform);
    expect(await isThere()).toBe(0);
  });

  it("that were deleted are not searched for again", async () => {
    const { platform, clock } = await finishedRun(30);
    clock.now += 30 * DAY_MS;
    await cleanUp(platform);
    expect(await platform.cleanup.withAnswersSince(clock.now, 100)).toEqual([]);
  });
});

describe("leases", () => {
  const leasesOf = (run: string) =>
    env.DB.prepare("SELECT count(*) AS n FROM leases WHERE run_id = ?").bind(run).first("n");

  it("of ended runs are deleted after an hour, leases of live runs never", async () => {
    let clock = Date.now();
    const { platform } = harness({ now: () => clock });
    const dataset = await relayDataset(platform, 3);
    const runs = [await submitRun(platform, dataset), await submitRun(platform, dataset)] as const;
    for (const run of runs) await platform.runs.takeLease(wish(run, clock, clock + 1_000));
    clock += 4_000_000;
    await platform.runs.cancel(runs[0], clock);
    clock += 3_599_999;
    await cleanUp(platform);
    expect(await leasesOf(runs[0])).toBe(1);
    clock += 1;
    await cleanUp(platform);
    expect(await Promise.all(runs.map(leasesOf))).toEqual([0, 1]);
  });
});

describe("the timeline of a run", () => {
  it("is available when the run has finished", async () => {
    const { api, run } = await finishedRun(0);
    const { timeline } = await api.run(run);
    expect(timeline).toMatchObject({ wallMs: 0, retryWaitMs: { n: 0 } });
    expect(timeline?.bins).toEqual([{ completed: 11, failed: 1, attempts: 12, meanLatencyMs: 1 }]);
  });

  it("is null before, and for answers made elsewhere", async () => {
    const { platform, deliverAll } = harness();
    const answers = [{ id: "s0", output: "x", latencyMs: 5 }];
    const models = [{ name: "Mine", slug: "acme/mine", answers }];
    const run = await submitRun(platform, await relayDataset(platform, 2), { models });
    expect((await serve(platform).run(run)).timeline).toBeNull();
    await deliverAll();
    expect(await serve(platform).run(run)).toMatchObject({ status: "finished", timeline: null });
  });

  it("is complemented by the waits of each sample", async () => {
    const { api, run } = await finishedRun(0);
    const page = (await (await api.get(`/v1/runs/${run}/samples?limit=1`)).json()) as object;
    expect(page).toMatchObject({
      samples: [{ requests: 1, attempts: 1, queueWaitMs: 0, retryWaitMs: null }],
    });
  });
});
