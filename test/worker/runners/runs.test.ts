import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { platformOf } from "../../../api/index.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { signedStatement } from "../../../api/publication/statement.ts";
import { controlRun } from "../../../api/runs/service.ts";
import { wholeRun } from "../../../api/runs/view.ts";
import { interceptedBindings } from "../../support/worker/intercepted-bindings.ts";
import { fakeRunner, upperCased } from "../support/fake-runner.ts";
import { anAccount, deliver, harness, relayDataset, submitRun } from "../support/harness.ts";
import { scheduled } from "../support/scheduled.ts";

const SAMPLES = 12;
const DAY_MS = 86_400_000;

const modelsOf = (runner: string) => [
  {
    name: "Private",
    slug: `acme/${runner}`,
    endpoint: { runner, baseUrl: "http://10.0.0.5:8000/v1", model: "m" },
  },
];

const leftOf = async (run: string) =>
  (await env.DB.prepare("SELECT id FROM runner_requests WHERE run_id = ?").bind(run).all()).results;

/** A registered runner and a run that needs it. */
async function aRun(overrides: Partial<Platform> = {}, options = {}, samples = SAMPLES) {
  const rig = harness(overrides);
  // Each run has its own runner, since other runs of this file may still wait for theirs.
  const name = `lab-${crypto.randomUUID().slice(0, 8)}`;
  const runner = await fakeRunner(rig.platform, { name });
  await runner.register();
  const dataset = await relayDataset(rig.platform, samples);
  const run = await submitRun(rig.platform, dataset, { models: modelsOf(name), options });
  return { ...rig, name, runner, run };
}

/** A runner store that counts the rows written to the table of requests. */
function countedRows() {
  const count = { rows: 0 };
  const counted = interceptedBindings(env, async ({ statements }, proceed) => {
    const result = await proceed();
    const results = (Array.isArray(result) ? result : [result]) as (D1Result | null)[];
    for (const [i, { sql }] of statements.entries()) {
      if (sql.includes("runner_requests")) count.rows += results[i]?.meta?.rows_written ?? 0;
    }
    return result;
  });
  return { count, runners: platformOf(counted as never).runners };
}

const view = async (platform: Platform, run: string) =>
  wholeRun(platform, (await platform.runs.get(run))!, null);

describe("a run whose endpoint a runner calls", () => {
  it("finishes with the times measured by the runner, and writes four rows per request", async () => {
    const { count, runners } = countedRows();
    const { platform, name, runner, run, deliverAll } = await aRun({ runners });
    await runner.take();
    const working = runner.work();
    await deliverAll();
    runner.stop();
    const sent = await working;
    expect(sent).toHaveLength(2 * SAMPLES);
    expect(sent[0]?.request).toMatchObject({
      method: "POST",
      url: "http://10.0.0.5:8000/v1/chat/completions",
      timeoutMs: 60_000,
    });
    expect(JSON.stringify(sent)).not.toMatch(/authorization|api-key/i);
    const ended = await view(platform, run);
    expect(ended).toMatchObject({
      status: "finished",
      progress: { total: SAMPLES, done: SAMPLES, failed: 0 },
      metrics: { passed: { value: 1 } },
      provenance: {
        kind: "runner",
        endpointHost: null,
        runner: { name, owner: "acme", keys: [runner.kid] },
      },
    });
    const rows = await env.DB.prepare("SELECT latency_ms AS ms FROM samples WHERE run_id = ?")
      .bind(run)
      .all<{ ms: number }>();
    expect(new Set(rows.results.map(({ ms }) => ms))).toEqual(new Set([40]));
    expect(await leftOf(run)).toEqual([]);
    // Each request is asked, leased, answered and deleted.
    expect(count.rows).toBe(4 * sent.length);
    const { statement } = await signedStatement(platform, (await platform.runs.get(run))!);
    expect(statement.answers).toMatchObject({
      kind: "runner",
      hosts: [],
      runner: { owner: "acme", keys: [runner.kid] },
    });
    expect(JSON.stringify(ended)).not.toContain("10.0.0.5");
  });

  it("waits for a runner that is away, and continues when it is back", async () => {
    const { platform, mail, name, runner, run, deliverAll } = await aRun();
    await deliver(platform, "evaluate", mail.evaluate.shift());
    mail.evaluate.length = 0;
    expect(await view(platform, run)).toMatchObject({
      status: "running",
      progress: { done: 0, failed: 0 },
      waitsFor: { runner: name, lastSeenAt: null },
    });
    expect((await platform.runs.get(run))?.notBefore).toBeGreaterThan(platform.now());
    // The first poll wakes the run.
    const working = runner.work();
    while (mail.evaluate.length === 0) await platform.sleep(20);
    await deliverAll();
    runner.stop();
    expect(await working).toHaveLength(2 * SAMPLES);
    const ended = await view(platform, run);
    expect(ended).toMatchObject({ status: "finished", progress: { failed: 0 } });
    expect(ended.waitsFor).toBeUndefined();
  });

  it("fails its samples with the class no_runner after seven days", async () => {
    const { platform, run, deliverAll } = await aRun();
    const since = platform.now() - 7 * DAY_MS;
    const block = env.DB.prepare("UPDATE runs SET blocked_since = ?1 WHERE id = ?2");
    await block.bind(since, run).run();
    // The cron job does not fail the run; the lanes do.
    await runCron(platform);
    expect((await platform.runs.get(run))?.status).not.toBe("failed");
    await deliverAll();
    expect(await view(platform, run)).toMatchObject({
      status: "finished",
      progress: { done: SAMPLES, failed: SAMPLES },
      points: { failures: [{ class: "no_runner", count: SAMPLES }] },
    });
  });

  it("asks nothing twice when its lane dies, since the next lane finds the replies", async () => {
    let aheadMs = 0;
    const rig = await aRun({ now: () => Date.now() + aheadMs }, { concurrency: 1 }, 1);
    const { platform, mail, runner, run, deliverAll } = rig;
    await runner.take();
    const working = runner.work();
    const { put } = platform.objects;
    platform.objects.put = async () => {
      throw new TypeError("the isolate died");
    };
    const [message] = mail.evaluate;
    expect(await deliver(platform, "evaluate", message)).toBe("retry");
    platform.objects.put = put;
    expect(await leftOf(run)).toHaveLength(2);
    aheadMs = platform.settings.leaseMs + 1_000;
    await deliver(platform, "evaluate", message);
    await deliverAll();
    runner.stop();
    expect(await working).toHaveLength(2);
    expect(await leftOf(run)).toEqual([]);
    expect(await view(platform, run)).toMatchObject({
      status: "finished",
      metrics: { passed: { value: 1 } },
    });
  });

  it("repeats requests that an overloaded endpoint refuses", async () => {
    const { platform, runner, run, deliverAll } = await aRun({}, {}, 2);
    await runner.take();
    const refused = new Set<string>();
    const working = runner.work((taken) => {
      if (refused.has(taken.id)) return upperCased(taken);
      refused.add(taken.id);
      const body = '{"error":{"message":"busy"}}';
      const headers = { "content-type": "application/json", "retry-after": "0" };
      return upperCased(taken, { status: 429, headers, body, marks: [] });
    });
    await deliverAll();
    runner.stop();
    expect(await working).toHaveLength(8);
    expect(await view(platform, run)).toMatchObject({
      status: "finished",
      progress: { failed: 0 },
      metrics: { passed: { value: 1 } },
    });
  });

  it("stores long texts in R2 until the samples are saved", async () => {
    const { platform, runner, run, deliverAll } = await aRun({}, {}, 1);
    await runner.take();
    const working = runner.work((taken) => {
      const whole = JSON.parse(upperCased(taken).body) as { choices: { message: object }[] };
      Object.assign(whole, { padding: "x".repeat(100_000) });
      const body = JSON.stringify(whole);
      return upperCased(taken, { body, marks: [[body.length, 40]] });
    });
    const put: string[] = [];
    const { putText } = platform.objects;
    platform.objects.putText = (key, parts) => {
      put.push(key);
      return putText(key, parts);
    };
    await deliverAll();
    runner.stop();
    await working;
    expect(put.filter((key) => key.startsWith(`runs/${run}/runner/`))).toHaveLength(2);
    expect(await platform.objects.keys(`runs/${run}/runner/`)).toEqual([]);
    expect(await view(platform, run)).toMatchObject({ status: "finished" });
  });

  it("drops and deletes its requests when it is cancelled", async () => {
    const { platform, mail, runner, run } = await aRun({}, { concurrency: 2 }, 4);
    await runner.take(0);
    const lane = deliver(platform, "evaluate", mail.evaluate.shift());
    let held = (await runner.take()).requests;
    while (held.length < 2) held = [...held, ...(await runner.take()).requests];
    const leases = held.map(({ id, lease }) => ({ id, lease }));
    expect((await runner.take(0, leases)).gone).toEqual([]);
    await controlRun(platform, anAccount("acme"), run, "cancel");
    const { gone } = await runner.take(0, leases);
    expect(new Set(gone)).toEqual(new Set(held.map(({ id }) => id)));
    expect((await runner.take()).requests).toEqual([]);
    await runCron(platform);
    expect(await leftOf(run)).toEqual([]);
    const late = await runner.reply(held[0]!, upperCased(held[0]!));
    expect(late.status).toBe(404);
    await lane;
    expect((await platform.runs.get(run))?.status).toBe("cancelled");
  });

  it("can be started by a schedule, and is compared with its reference for drift", async () => {
    const rig = await aScheduledRunner();
    const working = rig.runner.work();
    for (let i = 0; i < 2; i++) await rig.runOnce();
    rig.runner.stop();
    expect(await working).toHaveLength(2 * 2 * 3);
    expect(await rig.outcome()).toEqual(steady);
  });

  it("survives a runner that dies: another runner with the same name gets the requests", async () => {
    const { platform, runner, name, runOnce, runs, outcome } = await aScheduledRunner();
    const second = await fakeRunner(platform, { name });
    await second.register();
    const working = second.work();
    await runOnce();
    second.stop();
    await working;
    // The requests of the next tick are taken by a runner that never replies.
    const third = await fakeRunner(platform, { name });
    await third.register();
    const lost = (async () => {
      let held: string[] = [];
      while (held.length === 0) held = (await runner.take(1)).requests.map(({ id }) => id);
      const expire = "UPDATE runner_requests SET lease_until = 0 WHERE id = ?";
      await env.DB.prepare(expire).bind(held[0]).run();
      return { held, done: await third.work() };
    })();
    await runOnce();
    third.stop();
    const { held, done } = await lost;
    expect(done.map(({ id }) => id)).toContain(held[0]);
    expect((await runs())[0]?.runnerKeys).toEqual([third.kid]);
    expect(await outcome()).toEqual(steady);
  });

  it("waits for a runner that is away when it is started by a schedule", async () => {
    const { platform, runner, name, mail, runOnce, runNow, runs, outcome, deliverAll } =
      await aScheduledRunner();
    const working = runner.work();
    await runOnce();
    runner.stop();
    await working;
    await env.DB.prepare("UPDATE runners SET last_seen_at = 0 WHERE name = ?").bind(name).run();
    expect((await runNow()).ok).toBe(true);
    await deliver(platform, "evaluate", mail.evaluate.shift());
    mail.evaluate.length = 0;
    expect((await runs())[0]).toMatchObject({ status: "running", done: 0 });
    const back = await fakeRunner(platform, { name });
    await back.register();
    const again = back.work();
    while (mail.evaluate.length === 0) await platform.sleep(20);
    await deliverAll();
    back.stop();
    expect(await again).toHaveLength(2 * 3);
    expect(await outcome()).toEqual(steady);
  });
});

/** Both runs of a schedule, and the drift of the second. */
const steady = [
  { status: "finished", failed: 0 },
  { status: "finished", failed: 0 },
  { isCovered: true, isFlagged: false },
];

/** A schedule for a model whose endpoint a registered runner calls. */
async function aScheduledRunner() {
  const name = `lab-${crypto.randomUUID().slice(0, 8)}`;
  const runner = await fakeRunner(harness().platform, { name });
  await runner.register();
  await runner.take();
  const [model] = modelsOf(name);
  const rig = await scheduled({ model }, anAccount("acme"), { now: () => Date.now() });
  const runOnce = async () => {
    expect((await rig.runNow()).ok).toBe(true);
    await rig.deliverAll();
  };
  const outcome = async () => {
    const runs = await rig.runs();
    const { isCovered, isFlagged } = (await rig.platform.drifts.get(runs[0]!.id))!.drift;
    return [...runs.map(({ status, failed }) => ({ status, failed })), { isCovered, isFlagged }];
  };
  return { ...rig, name, runner, runOnce, outcome };
}
