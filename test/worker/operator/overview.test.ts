import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { adaptersOf } from "../../../api/index.ts";
import { measureDatabase, overview } from "../../../api/operator/overview.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { Overview } from "../../../shared/contracts/operator/overview.ts";
import { serve } from "../support/client.ts";
import { countedRows } from "../support/counted-queries.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";

const accounts = { owner: anAccount("acme"), admin: anAccount("boss", { scopes: ["admin"] }) };
const as = (who: keyof typeof accounts) => ({ authorization: `Bearer ${who}` });
const HOUR_MS = 3_600_000;

const read = async (platform: Platform, query = "") => {
  const response = await serve(platform, accounts).get(
    `/v1/operator/overview${query}`,
    as("admin"),
  );
  expect(response.status).toBe(200);
  return (await response.json()) as Overview;
};

const exec = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** Copies a run `count` times. */
async function copies(run: string, count: number): Promise<void> {
  const { results } = await exec("SELECT name FROM pragma_table_info('runs') WHERE name <> 'id'");
  const columns = (results as { name: string }[]).map(({ name }) => name);
  const numbers = JSON.stringify(Array.from({ length: count }, (_, i) => i));
  await exec(
    `INSERT INTO runs (id, ${columns}) SELECT 'copy_' || value || runs.id, ${columns.map((name) => `runs.${name}`)}
      FROM runs, json_each(?2) WHERE runs.id = ?1`,
    run,
    numbers,
  );
}

describe("GET /v1/operator/overview", () => {
  it("requires an admin", async () => {
    const { platform } = harness();
    const settings = { ...platform.settings, requireApiKey: true };
    const api = serve({ ...platform, settings }, accounts);
    for (const path of ["overview", "settings", "reports", "bans"]) {
      expect((await api.get(`/v1/operator/${path}`)).status).toBe(401);
      expect((await api.get(`/v1/operator/${path}`, as("owner"))).status).toBe(403);
      expect((await api.get(`/v1/operator/${path}`, as("admin"))).status).toBe(200);
    }
  });

  it("distinguishes stuck runs from waiting and active ones", async () => {
    let clock = Date.parse("2026-11-21T00:00:00Z");
    const { platform } = harness({ now: () => clock });
    const run = await submitRun(platform, await relayDataset(platform, 2));
    const of = async () =>
      (await read(platform, "?stuckMinutes=30")).runs.listed.find((one) => one.run === run);
    // The lanes of the run have seats that no consumer takes.
    clock += 10 * 60_000;
    expect((await of())?.activity).toBe("line");
    clock += HOUR_MS;
    expect(await of()).toMatchObject({ activity: "stuck", owner: "acme", done: 0, total: 2 });
    await exec("UPDATE runs SET not_before = ? WHERE id = ?", clock + HOUR_MS, run);
    expect((await of())?.activity).toBe("waiting");
    await platform.runs.pause(run, "paused by its owner");
    expect(await of()).toMatchObject({ activity: "paused", reason: "paused by its owner" });
    await platform.runs.cancel(run, clock);
  });

  it("counts failures of an endpoint by class", async () => {
    const error = { class: "timeout" as const, message: "no answer" };
    const rig = harness({
      ask: answering((request) =>
        request.messages.at(-1)?.content.includes("1") ? { output: null, error } : {},
      ),
    });
    const endpoint = { baseUrl: "http://127.0.0.1:8791/v1", model: "m" };
    const models = [{ name: "Model", slug: "acme/failing", endpoint }];
    await submitRun(rig.platform, await relayDataset(rig.platform, 4), { models });
    await rig.deliverAll();
    const { endpoints } = await read(rig.platform);
    const found = endpoints.find(({ origin }) => origin === "http://127.0.0.1:8791");
    expect(found).toMatchObject({ runs: 1, active: 0, failedRuns: 0, done: 4, failed: 1 });
    expect(found).toMatchObject({ classes: { timeout: 1 }, lookedAt: 4 });
  });

  it("shows judge costs by account and judge, correctly also if a run is summarised again", async () => {
    const { platform } = harness({ now: () => Date.parse("2026-11-21T12:00:00Z") });
    const run = await submitRun(platform, await relayDataset(platform, 2));
    const calls = { requests: 2, inputTokens: 100, outputTokens: 10, usd: 0.5, unpriced: 0 };
    await platform.spend.record(run, new Map([["openai:gpt", calls]]), "2026-11-20");
    const again = new Map([
      ["openai:gpt", { ...calls, usd: 0.75 }],
      ["anthropic:c", calls],
    ]);
    await platform.spend.record(run, again, "2026-11-21");
    await platform.spend.record(run, again, "2026-11-21");
    const { spending } = await read(platform);
    expect(spending).toMatchObject({ days: 7, since: "2026-11-15" });
    expect(spending.byAccount).toEqual([
      { name: "acme", usd: 1.25, requests: 4, inputTokens: 200, outputTokens: 20, unpriced: 0 },
    ]);
    expect(spending.byJudge.map(({ name, usd }) => [name, usd])).toEqual([
      ["openai:gpt", 0.75],
      ["anthropic:c", 0.5],
    ]);
  });

  it("has one size of the database per day", async () => {
    let clock = Date.parse("2026-11-18T12:00:00Z");
    const { platform } = harness({ now: () => clock });
    for (let day = 0; day < 4; day++) {
      await measureDatabase(platform);
      await measureDatabase(platform);
      clock += 24 * HOUR_MS;
    }
    const { database } = await read(platform);
    expect(database.sizes.map(({ day }) => day)).toEqual([
      "2026-11-18",
      "2026-11-19",
      "2026-11-20",
      "2026-11-21",
    ]);
    expect(database.bytes).toBeGreaterThan(0);
    expect(database.maxBytes).toBe(10_000_000_000);
    expect(database.bytesPerDay).not.toBeNull();
  });

  it("reads at most a few thousand rows of a large service", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    for (const status of ["running", "queued", "paused"]) {
      await exec("UPDATE runs SET status = ? WHERE id = ?", status, run);
      await copies(run, 500);
      await exec("UPDATE runs SET id = status || id WHERE id LIKE 'copy_%'");
    }
    await exec(`INSERT INTO leases (run_id, lane, attempt, holder, pending, expires_at, slots)
      SELECT runs.id, value, 1, 'hold', '[]', 1, 5 FROM runs, json_each('[0,1,2,3,4,5,6,7,8,9,10,11]')
      WHERE status = 'running'`);
    const days = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => i));
    await exec(
      `INSERT INTO judge_spend SELECT '2099-01-01', 'owner' || value, 'j', 1, 1, 1, 1, 0 FROM json_each(?)`,
      days,
    );
    const { count, d1 } = countedRows(env.DB);
    const counting = adaptersOf({ ...env, DB: d1 } as never);
    const found = await overview({ ...counting, suites: platform.suites }, 15);
    expect(found.runs).toMatchObject({ queued: 200, running: 200, paused: 200 });
    expect(found.runs.listed).toHaveLength(90);
    expect(count.rows).toBeGreaterThan(1_000);
    expect(count.rows).toBeLessThan(5_000);
    expect(count.queries).toBeLessThan(40);
    await exec("DELETE FROM runs WHERE id LIKE '%copy_%'");
    await exec("DELETE FROM judge_spend WHERE day = '2099-01-01'");
  });
});

describe("GET /v1/operator/settings", () => {
  it("shows variables, and no secret", async () => {
    const { platform } = harness();
    const response = await serve(platform, accounts).get("/v1/operator/settings", as("admin"));
    const text = await response.text();
    const { settings } = JSON.parse(text) as { settings: { name: string; value: string }[] };
    const byName = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    expect(byName).toMatchObject({
      databaseBytes: "10000000000",
      "plan.runSamples": "no limit or not set",
      codeRevision: "a test revision",
    });
    for (const secret of ["a test key", "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v"]) {
      expect(text).not.toContain(secret);
    }
  });
});
