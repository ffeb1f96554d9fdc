import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { platformOf } from "../../../api/index.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { modelClient } from "../../../api/providers/ask-model.ts";
import { judgeClient } from "../../../api/providers/judges.ts";
import { anApp } from "../support/client.ts";
import { judgedHarness, memoryDataset } from "../support/fake-judges.ts";
import { answering, deliver, harness, relayDataset, submitRun } from "../support/harness.ts";

const HOUR_MS = 3_600_000;
const apiKey = "sk-parked-0123456789";
const models = [
  {
    name: "Parked",
    slug: "acme/parked",
    endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey },
  },
];

const page = async (platform: Platform, path: string) => {
  const app = anApp(platform);
  const response = await app.request(`http://assay.test${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** Answers all requests with 429 and this header. */
const alwaysLater = (retryAfter: string) =>
  vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () =>
      Response.json(
        { error: { message: "later" } },
        { status: 429, headers: { "retry-after": retryAfter } },
      ),
    );

describe.each(["99999999999", "1e20", "Fri, 31 Dec 9999 23:59:59 GMT", "9".repeat(400)])(
  "a model's endpoint that answers Retry-After: %s",
  (retryAfter) => {
    it("postpones its run by an hour at most", async () => {
      alwaysLater(retryAfter);
      const { platform, mail } = harness({ ask: platformOf({ ...env } as never).ask });
      const options = { maxRetries: 0 };
      const run = await submitRun(platform, await relayDataset(platform, 1), { models, options });
      await deliver(platform, "evaluate", mail.evaluate.shift());
      const record = await platform.runs.get(run);
      expect(record?.notBefore).toBeLessThanOrEqual(platform.now() + HOUR_MS);
      const { status, body } = await page(platform, `/v1/runs/${run}`);
      expect(status).toBe(200);
      const waiting = body["waitingUntil"] as string | null;
      if (waiting !== null) {
        expect(Date.parse(waiting)).toBeLessThanOrEqual(Date.now() + HOUR_MS);
      }
    });
  },
);

describe("a model's endpoint that answers 429 without Retry-After", () => {
  /** A run of four samples whose endpoint answers after `busyMs`; only waits advance the clock. */
  async function evaluated(busyMs: number) {
    let clock = Date.now();
    const begun = clock;
    const reply = { choices: [{ message: { content: "{}" }, finish_reason: "stop" }] };
    const calls = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      const isBusy = clock - begun < busyMs;
      return Response.json(isBusy ? { error: { message: "slow down" } } : reply, {
        status: isBusy ? 429 : 200,
      });
    });
    const now = () => clock;
    const sleep = async (ms: number) => {
      clock += ms;
    };
    const ask = modelClient({ now, sleep, random: () => 0 });
    const { platform, mail, deliverAll } = harness({ now, ask });
    const run = await submitRun(platform, await relayDataset(platform, 4), {
      models,
      options: { concurrency: 2 },
    });
    for (let left = 100; mail.evaluate.length > 0 && left > 0; left--) {
      await deliver(platform, "evaluate", mail.evaluate.shift());
      clock = Math.max(clock, (await platform.runs.get(run))?.notBefore ?? 0);
    }
    await deliverAll();
    const tookMs = clock - begun;
    return { run: await platform.runs.get(run), calls: calls.mock.calls.length, tookMs };
  }

  it("is asked again with growing delays, and no sample is lost", async () => {
    const { run, calls, tookMs } = await evaluated(70_000);
    expect(run).toMatchObject({ status: "finished", done: 4, failed: 0, blockedSince: null });
    expect(tookMs).toBeLessThan(200_000);
    expect(calls).toBeLessThan(60);
  });

  it("gets five minutes again after each answer, also within one lease of a lane", async () => {
    const blocked: (number | null)[] = [];
    const answer = answering(() => ({}));
    const { platform, mail, deliverAll } = harness({
      async ask(target, request, limits, memory) {
        blocked.push(limits.blockedMs);
        return answer(target, request, limits, memory);
      },
    });
    const options = { concurrency: 1 };
    const run = await submitRun(platform, await relayDataset(platform, 3), { models, options });
    await env.DB.prepare("UPDATE runs SET blocked_since = ?1 WHERE id = ?2")
      .bind(platform.now() - 400_000, run)
      .run();
    await deliver(platform, "evaluate", mail.evaluate.shift());
    await deliverAll();
    expect(blocked[0]).toBeGreaterThanOrEqual(400_000);
    expect([...new Set(blocked.slice(1))]).toEqual([0]);
  });

  it("for more than five minutes fails the samples", async () => {
    const { run, tookMs } = await evaluated(Number.POSITIVE_INFINITY);
    expect(run).toMatchObject({ status: "finished", done: 4, failed: 4 });
    expect(tookMs).toBeGreaterThan(300_000);
    expect(tookMs).toBeLessThan(600_000);
  });
});

/** A judged run with all answers, whose judges postpone every call. */
async function parkedByJudge(now: () => number, retryAfter: string) {
  alwaysLater(retryAfter);
  const settings = { JUDGES: JSON.stringify({ maxRetries: 0 }), JUDGE_KEY_OPENAI: "sk-judge-1" };
  const around = { now, sleep: async () => {}, random: () => 0 };
  const rig = judgedHarness(
    judgeClient({ ...settings, JUDGE_KEY_ANTHROPIC: "a", JUDGE_KEY_GOOGLE: "g" }, around),
    { now },
  );
  const run = await submitRun(rig.platform, await memoryDataset(rig.platform, 1), {
    suite: "memory",
    models,
  });
  await rig.deliverAll();
  return { rig, run };
}

describe("a judge's endpoint", () => {
  it("postpones a run by an hour at most, and the run fails after a day", async () => {
    let clock = Date.now();
    const { rig, run } = await parkedByJudge(() => clock, "99999999999");
    const { platform } = rig;
    expect(await platform.runs.get(run)).toMatchObject({
      phase: "judging",
      status: "running",
      notBefore: clock + HOUR_MS,
    });
    for (let hours = 1; hours <= 25; hours++) {
      clock += HOUR_MS;
      await runCron(platform);
      // This harness does not have the suites of runs from other tests.
      rig.mail.finish.length = 0;
      rig.mail.evaluate = rig.mail.evaluate.filter((message) => message.run === run);
      await rig.deliverAll();
    }
    const failed = await platform.runs.get(run);
    expect(failed).toMatchObject({ status: "failed", sealedSecrets: null });
    expect(failed?.statusReason).toContain("a judge's endpoint has taken no requests");
  });
});

it("a lane that waits longer than the maximum delay of a queue checks again after half a day", async () => {
  const delays: number[] = [];
  const now = Date.now();
  const { platform, mail } = harness({ now: () => now });
  const run = await submitRun(platform, await relayDataset(platform, 2), { models });
  await env.DB.prepare("UPDATE runs SET not_before = ?2 WHERE id = ?1")
    .bind(run, now + 100 * HOUR_MS)
    .run();
  const lanes = async (_: unknown, delaySeconds = 0) => void delays.push(delaySeconds);
  const patched = { ...platform, queues: { ...platform.queues, lanes } };
  expect(await deliver(patched, "evaluate", mail.evaluate.shift())).toBe("ack");
  expect(delays).toEqual([(12 * HOUR_MS) / 1_000]);
});

describe("the cron job", () => {
  const parked = async (notBefore: number, blockedSince: number, now = Date.now()) => {
    const rig = harness({ ask: answering(() => ({})), now: () => now });
    const run = await submitRun(rig.platform, await relayDataset(rig.platform, 2), { models });
    await env.DB.prepare(
      "UPDATE runs SET status = 'running', not_before = ?, blocked_since = ? WHERE id = ?",
    )
      .bind(notBefore, blockedSince, run)
      .run();
    return { ...rig, run, now };
  };

  it("fails a run after a day without an answer, and deletes its key", async () => {
    const now = Date.now();
    const { platform, run } = await parked(now + HOUR_MS, now - 24 * HOUR_MS, now);
    expect((await platform.runs.get(run))?.sealedSecrets).not.toBeNull();
    await runCron(platform);
    const failed = await platform.runs.get(run);
    expect(failed).toMatchObject({ status: "failed", sealedSecrets: null });
    expect(failed?.statusReason).toMatch(/taken no requests for more than a day.*retry/);
  });

  it("does not fail a run that has waited for less, or was paused meanwhile", async () => {
    const now = Date.now();
    const { platform, run } = await parked(now + HOUR_MS, now - 24 * HOUR_MS + 1_000, now);
    await runCron(platform);
    expect((await platform.runs.get(run))?.status).toBe("running");
    await platform.runs.pause(run, null);
    await env.DB.prepare("UPDATE runs SET blocked_since = 1 WHERE id = ?").bind(run).run();
    await platform.runs.resume(run, { maxCostUsd: null });
    await runCron(platform);
    expect((await platform.runs.get(run))?.status).toBe("running");
  });
});
