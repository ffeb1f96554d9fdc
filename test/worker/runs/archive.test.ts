import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { archiveRuns, putBackRows } from "../../../api/runs/archive-runs.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { archiveKey } from "../../../api/runs/run-objects.ts";
import { packSamples } from "../../../api/runs/sample-archive.ts";
import { type RunRecord, sampleTables } from "../../../api/runs/schema.ts";
import { archived, finishedRun, HOUR_MS, readings, rowsIn } from "../support/archived-runs.ts";
import { anAccount, aRow, deliver, emptyCommit, harness, wish } from "../support/harness.ts";

const owner = anAccount("acme");

describe("archiveRuns()", () => {
  it("moves rows of runs that ended six hours ago; every reply stays the same", async () => {
    const rig = await finishedRun();
    const before = await readings(rig);
    const latencyMs = (await rig.platform.runs.meanLatencyMs(rig.run)) ?? 0;
    expect(latencyMs).toBeGreaterThan(1);
    expect(Object.keys(before).length).toBeGreaterThan(25);
    rig.clock.now += 6 * HOUR_MS - 10;
    await archiveRuns(rig.platform);
    expect((await rig.platform.runs.get(rig.run))?.archive).toBeNull();
    rig.clock.now += 10_000;
    await archiveRuns(rig.platform);
    const run = await rig.platform.runs.get(rig.run);
    expect(run?.archive).toMatchObject({ rows: 40, pages: [expect.any(Number)] });
    // The original rows are no longer read.
    for (const table of sampleTables) await env.DB.prepare(`DELETE FROM ${table}`).run();
    expect(await readings(rig)).toEqual(before);
    expect(await rig.platform.runs.meanLatencyMs(rig.run)).toBeCloseTo(latencyMs, 10);
    expect(Object.values(before).filter((text) => text.includes('"status":4'))).toEqual([]);
  });

  it("reads one page of a large run with a range request", async () => {
    const rig = await finishedRun(2_500);
    await archived(rig);
    const run = await rig.platform.runs.get(rig.run);
    expect(run?.archive?.pages).toHaveLength(3);
    const reads: number[] = [];
    const bucket = (env as unknown as { RESULTS: R2Bucket }).RESULTS;
    const get = bucket.get.bind(bucket);
    bucket.get = (async (key: string, options: R2GetOptions) => {
      reads.push((options.range as { length: number }).length);
      return get(key, options);
    }) as never;
    try {
      const page = await rig.platform.runs.samples(rig.run, 2_099, 100);
      expect(page.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, i) => 2_100 + i));
      expect(await rig.platform.runs.samples(rig.run, 990, 20)).toHaveLength(20);
      expect(await rig.platform.runs.samples(rig.run, 2_499, 20)).toEqual([]);
    } finally {
      // Restores the method of the class.
      Reflect.deleteProperty(bucket, "get");
    }
    const [first = 0, second = 0, third = 0] = run?.archive?.pages ?? [];
    expect(reads).toEqual([third, first, second]);
  });

  it("does not mark a run that is retried while its rows are read", async () => {
    const rig = await finishedRun();
    const { platform, clock, run } = rig;
    const { rowsToArchive } = platform.runs;
    const slow: Platform = { ...platform, runs: { ...platform.runs } };
    slow.runs.rowsToArchive = async (...args) => {
      const found = await rowsToArchive(...args);
      expect(await retryRun(platform, owner, run, { endpoint: { apiKey: "sk" } })).toMatchObject({
        ok: true,
      });
      return found;
    };
    clock.now += 7 * HOUR_MS;
    await archiveRuns(slow);
    expect((await platform.runs.get(run))?.archive).toBeNull();
    clock.isMended = true;
    await rig.deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", failed: 0, done: 40 });
  });

  it("archives a run again after a crash between writing the object and marking the run", async () => {
    const rig = await finishedRun();
    const broken: Platform = { ...rig.platform, runs: { ...rig.platform.runs } };
    broken.runs.markArchived = () => Promise.reject(new Error("the isolate died"));
    rig.clock.now += 7 * HOUR_MS;
    await expect(archiveRuns(broken)).rejects.toThrow("died");
    expect(await rowsIn(rig.run)).toBe(40);
    await archiveRuns(rig.platform);
    expect((await rig.platform.runs.get(rig.run))?.archive?.rows).toBe(40);
  });

  it("rejects a lane of a cancelled run that continues days later", async () => {
    const rig = await finishedRun();
    const { platform, clock } = rig;
    const run = await rig.submitAgain();
    await platform.runs.takeLease(wish(run, clock.now, clock.now + 1_000));
    await platform.runs.cancel(run, clock.now);
    await archived(rig);
    const late = emptyCommit(run, clock.now, clock.now + 1_000);
    expect(await platform.runs.commit(late)).toBeNull();
    expect((await platform.runs.get(run))?.archive).toEqual({ rows: 0, pages: [] });
    expect(await platform.runs.samples(run, -1, 10)).toEqual([]);
  });

  it("does not change an archived run when messages arrive late", async () => {
    const rig = await finishedRun();
    await archived(rig);
    for (const table of sampleTables) await env.DB.prepare(`DELETE FROM ${table}`).run();
    const before = await rig.platform.runs.get(rig.run);
    await deliver(rig.platform, "finish", { v: 1, kind: "finalize", run: rig.run });
    await rig.platform.runs.cancel(rig.run, rig.clock.now);
    await rig.platform.runs.recount(rig.run);
    expect(await rig.platform.runs.get(rig.run)).toEqual(before);
  });
});

describe("an archived run", () => {
  it("gets its rows back for a retry, and is archived again afterwards", async () => {
    const rig = await finishedRun();
    const { platform, clock, run } = rig;
    await archived(rig);
    for (const table of sampleTables) await env.DB.prepare(`DELETE FROM ${table}`).run();
    clock.isMended = true;
    const retried = await retryRun(platform, owner, run, { endpoint: { apiKey: "sk" } });
    expect(retried).toMatchObject({
      ok: true,
      value: { status: "running", done: 32, archive: null },
    });
    expect(await rowsIn(run)).toBe(32);
    await rig.deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 40, failed: 0 });
    const before = await readings(rig);
    await archived(rig);
    const again = await platform.runs.get(run);
    expect(again?.archive?.rows).toBe(40);
    expect(await readings(rig)).toEqual(before);
    // The earlier object stays, because a database restored from a backup may refer to it.
    const keys = await platform.objects.keys(`runs/${run}/sums-`);
    expect(keys).toContain(archiveKey({ id: run, retries: [] }));
    expect(keys).toContain(archiveKey({ id: run, retries: ["one"] }));
  });

  it("is not retried if its table is dropped while its rows are restored", async () => {
    const rig = await finishedRun();
    const { platform, run } = rig;
    await archived(rig);
    const read = await platform.runs.get(run);
    for (const table of sampleTables) await env.DB.prepare(`DELETE FROM ${table}`).run();
    const torn: Platform = { ...platform, runs: { ...platform.runs } };
    torn.runs.putBack = async (...args) => {
      await platform.runs.putBack(...args);
      await env.DB.prepare("DELETE FROM samples WHERE seq = 7").run();
    };
    expect(read && (await putBackRows(torn, read))).toBe(false);
    expect(await retryRun(torn, owner, run, { endpoint: { apiKey: "sk" } })).toMatchObject({
      error: { type: "conflict" },
    });
    expect((await platform.runs.get(run))?.archive).not.toBeNull();
    expect(await retryRun(platform, owner, run, { endpoint: { apiKey: "sk" } })).toMatchObject({
      ok: true,
    });
  });

  it("is restored in parts of two thousand rows, which fit in one value of D1", async () => {
    const { platform } = harness();
    const rows = Array.from({ length: 5_000 }, (_, seq) => aRow("run_long", seq));
    const { archive, bytes } = await packSamples(
      (async function* () {
        yield rows;
      })(),
    );
    const run = { id: "run_long", retries: [] as string[], archive } as RunRecord;
    await platform.objects.putBytes(archiveKey(run), bytes);
    const putBack = vi.spyOn(platform.runs, "putBack").mockResolvedValue();
    await putBackRows(platform, run);
    expect(putBack.mock.calls.map(([, { length }]) => length)).toEqual([2_000, 2_000, 1_000]);
  });

  it("is rescored from its archive", async () => {
    const rig = await finishedRun(30);
    await archived(rig);
    for (const table of sampleTables) await env.DB.prepare(`DELETE FROM ${table}`).run();
    const suite = rig.platform.suites.all[0];
    if (!suite) throw new Error("no suite");
    const next = { ...suite, version: "2.0.0" };
    rig.platform.suites = { all: [next], byId: () => next };
    const rescored = await rescoreRun(rig.platform, owner, rig.run, { options: {} });
    if (!rescored.ok) throw new Error(JSON.stringify(rescored.error));
    await rig.deliverAll();
    const child = (await rig.platform.runs.submission(rescored.value))?.runs[0];
    const parent = await rig.platform.runs.get(rig.run);
    expect(child).toMatchObject({ status: "finished", done: 30 });
    expect(child?.metrics?.["passed"]).toEqual(parent?.metrics?.["passed"]);
  });

  it("is deleted with its object and remaining rows", async () => {
    const rig = await finishedRun();
    await archived(rig);
    expect(await rowsIn(rig.run)).toBe(40);
    await rig.platform.runs.remove(rig.run, rig.clock.now);
    await cleanUp(rig.platform);
    expect(await rig.platform.runs.get(rig.run)).toBeNull();
    expect(await rig.platform.objects.keys(`runs/${rig.run}/`)).toEqual([]);
    expect(await rowsIn(rig.run)).toBe(0);
  });
});
