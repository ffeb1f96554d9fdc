import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { anAccount, harness, relayDataset, submitRun, wish } from "../support/harness.ts";

const key = { endpoint: { apiKey: "k" } };

/** A run with two lanes. */
const runOf = async (platform: Platform, samples: number) =>
  submitRun(platform, await relayDataset(platform, samples), { options: { concurrency: 10 } });

describe("a run with a wrong count", () => {
  const minuteLater = (platform: Platform): Platform => ({
    ...platform,
    now: () => Date.now() + 120_000,
  });

  it.each([[-1], [-7]])("is recounted by the cron job and ends: off by %i", async (by) => {
    const { platform, mail, deliverAll } = harness();
    const run = await runOf(platform, 40);
    await env.DB.prepare("UPDATE runs SET done = done + ? WHERE id = ?").bind(by, run).run();
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "running", done: 40 + by });
    await runCron(minuteLater(platform));
    expect(mail.finish).toEqual([{ v: 1, kind: "finalize", run }]);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 40 });
  });

  it("ends with all of its samples if the count was too high", async () => {
    const { platform, deliverAll } = harness();
    const run = await runOf(platform, 40);
    await env.DB.prepare("UPDATE runs SET done = 5 WHERE id = ?").bind(run).run();
    await deliverAll();
    for (let i = 0; i < 2; i++) {
      await runCron(minuteLater(platform));
      await deliverAll();
    }
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 40 });
    expect(await platform.runs.samples(run, -1, 100)).toHaveLength(40);
  });

  it("fails with the reason if rows are missing, and can be retried", async () => {
    const { platform, deliverAll, mail } = harness();
    const run = await runOf(platform, 10);
    mail.evaluate.length = 0;
    await env.DB.prepare("UPDATE runs SET cursor = units WHERE id = ?").bind(run).run();
    await runCron(minuteLater(platform));
    expect(await platform.runs.get(run)).toMatchObject({
      status: "failed",
      statusReason: expect.stringContaining(
        "10 samples lost because of an error of the service: retry the run",
      ),
    });
    expect(await retryRun(platform, anAccount("acme"), run, key)).toMatchObject({ ok: true });
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 10 });
  });

  it("is not recounted while a lane holds units; five runs at most are recounted at once", async () => {
    const { platform, mail } = harness();
    const runs = await Promise.all(Array.from({ length: 7 }, () => runOf(platform, 10)));
    mail.evaluate.length = 0;
    const held = runs[0] ?? "";
    const now = Date.now();
    await platform.runs.takeLease(wish(held, now, now + 600_000));
    await env.DB.prepare("UPDATE runs SET cursor = units").run();
    const { miscounted } = await platform.runs.stalled(now + 120_000);
    expect(miscounted).toHaveLength(5);
    expect(miscounted).not.toContain(held);
  });
});
