import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { DatabaseFull, Outage, retryStorage } from "../../../api/platform/retry-storage.ts";
import { archiveRuns } from "../../../api/runs/archive-runs.ts";
import { sampleTables } from "../../../api/runs/schema.ts";
import {
  type Finished,
  finishedRun,
  HOUR_MS,
  readings,
  rows,
  rowsIn,
} from "../support/archived-runs.ts";
import { aSubmission, problemOf } from "../support/client.ts";
import { deliver, harness } from "../support/harness.ts";

/** Sets the size limit such that the given share of the database is used. */
async function filledTo(platform: Platform, share: number): Promise<void> {
  const databaseBytes = (await platform.runs.databaseBytes()) / share;
  platform.settings = { ...platform.settings, databaseBytes };
}

describe("a database that is nearly full", () => {
  it("refuses new runs from 95% on, and accepts them again when there is space", async () => {
    const rig = await finishedRun(20);
    const { platform, api, dataset, run } = rig;
    await filledTo(platform, 0.96);
    const key = { endpoint: { apiKey: "sk" } };
    const submit = () => api.post("/v1/submissions", aSubmission(dataset));
    const asked = [submit, () => api.post(`/v1/runs/${run}/retry`, key)];
    for (const ask of asked) {
      const response = await ask();
      expect(response.status).toBe(507);
      expect(await problemOf(response)).toMatchObject({
        type: expect.stringMatching(/\/errors\/database-full\/$/),
        retryable: true,
        detail: expect.stringMatching(/nothing was stored/),
      });
    }
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", archive: null });
    expect((await api.get(`/v1/runs/${run}/samples`)).status).toBe(200);
    await filledTo(platform, 0.94);
    expect((await submit()).status).toBe(202);
  });

  it("deletes rows of ended runs at once from 80% on, but not rows that are not archived", async () => {
    const rig = await finishedRun();
    const { platform, clock, run } = rig;
    const paused = await rig.submitAgain();
    await deliver(platform, "evaluate", rig.mail.evaluate.shift());
    await platform.runs.pause(paused, null);
    rig.mail.evaluate.length = 0;
    const before = await readings(rig);
    const begun = await rowsIn(paused);
    expect(begun).toBeGreaterThan(0);
    await filledTo(platform, 0.81);
    clock.now += 1_000;
    await archiveRuns(platform);
    expect(await rowsIn(run)).toBe(0);
    expect(await rowsIn(paused)).toBe(begun);
    expect((await platform.runs.get(run))?.archive?.rows).toBe(40);
    expect(await readings(rig)).toEqual(before);
  });

  it("counts as an outage, so no sample is given up", async () => {
    const full = new Error("D1_ERROR: Exceeded maximum DB size");
    let tries = 0;
    const refuse = async () => {
      tries++;
      throw full;
    };
    const runs = { commit: refuse } as unknown as Platform["runs"];
    const { platform } = harness();
    const around = { ...platform, random: Math.random };
    const wrapped = retryStorage({ runs }, around);
    await expect(wrapped.runs.commit({} as never)).rejects.toThrow(DatabaseFull);
    expect(tries).toBe(1);
    expect(new DatabaseFull(full)).toBeInstanceOf(Outage);
  });
});

describe("tables of samples", () => {
  beforeEach(async () => {
    const tables = ["runs", "leases", "sample_turns", ...sampleTables];
    await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  });

  const tableOf = async ({ platform }: Finished, run: string) =>
    (await platform.runs.get(run))?.sampleTable;

  it("take turns: one is dropped when its runs are archived, and new runs use it", async () => {
    const rig = await finishedRun();
    const { platform, clock, run } = rig;
    await archiveRuns(platform);
    const first = await tableOf(rig, run);
    clock.now += 12 * HOUR_MS;
    await archiveRuns(platform);
    const second = await rig.submitAgain();
    expect(await tableOf(rig, second)).not.toBe(first);
    await rig.deliverAll();
    expect(await rowsIn(run)).toBe(40);
    expect(await rows(sampleTables[1 - (first ?? 0)] ?? "", second)).toBe(40);
    const kept = await platform.runs.samples(second, -1, 100);
    clock.now += 12 * HOUR_MS;
    await archiveRuns(platform);
    // The first table was dropped; rows of the second run are archived and wait for the next turn.
    expect(await rowsIn(run)).toBe(0);
    expect(await rowsIn(second)).toBe(40);
    expect(await platform.runs.samples(second, -1, 100)).toEqual(kept);
    expect(await tableOf(rig, await rig.submitAgain())).toBe(first);
  });

  it("wait for an active run; after a week, rows of the other runs are deleted run by run", async () => {
    const rig = await finishedRun();
    const { platform, clock, run } = rig;
    await archiveRuns(platform);
    const paused = await rig.submitAgain();
    const lane = rig.mail.evaluate.shift();
    await deliver(platform, "evaluate", lane);
    await platform.runs.pause(paused, null);
    rig.mail.evaluate.length = 0;
    const table = await tableOf(rig, paused);
    for (let turn = 0; turn < 2; turn++) {
      clock.now += 12 * HOUR_MS;
      await archiveRuns(platform);
    }
    expect(await rowsIn(run)).toBe(40);
    const begun = await rowsIn(paused);
    clock.now += 7 * 24 * HOUR_MS;
    const drop = vi.spyOn(platform.cleanup, "dropSamples");
    await archiveRuns(platform);
    expect(drop.mock.calls).toContainEqual([run, 5_000]);
    expect(await rowsIn(run)).toBe(0);
    expect(await rowsIn(paused)).toBe(begun);
    expect(await tableOf(rig, await rig.submitAgain())).not.toBe(table);
  });

  it("have the same schema after one was dropped", async () => {
    const rig = await finishedRun(5);
    const schemas = async () =>
      (
        await env.DB.prepare(
          "SELECT name, sql FROM sqlite_schema WHERE name LIKE 'samples%' ORDER BY name",
        ).all()
      ).results;
    const before = await schemas();
    await archiveRuns(rig.platform);
    for (let turn = 0; turn < 3; turn++) {
      rig.clock.now += 12 * HOUR_MS;
      await archiveRuns(rig.platform);
    }
    expect(await schemas()).toEqual(before);
  });
});
