import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { judgeClient } from "../../../api/providers/judges.ts";
import { controlRun } from "../../../api/runs/service.ts";
import { wholeRun } from "../../../api/runs/view.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { systemPrompt } from "../../../shared/judges/judge-prompt.ts";
import { judges } from "../../../shared/judges/judges.ts";
import { fakeBatches } from "../support/fake-batches.ts";
import { judgedHarness, memoryDataset, storedAnswers } from "../support/fake-judges.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";

const SAMPLES = 6;
const prices = { inputPerMillion: 2, outputPerMillion: 8 };
const batched = {
  models: [
    {
      name: "Batched",
      slug: "acme/batched",
      prices,
      endpoint: {
        baseUrl: "http://127.0.0.1:8790/v1",
        model: "m",
        apiKey: "sk-batched-0123456789",
        batches: "openai",
      },
    },
  ],
  options: { mode: "batch" },
};

/** A harness with a clock that `later` advances. */
function clocked(overrides: Partial<Platform> = {}, make = harness) {
  let clock = Date.now();
  const rig = make({ now: () => clock, ...overrides });
  return {
    ...rig,
    /** Advances the clock, runs the cron job and delivers its messages. */
    async later(ms = 60_000) {
      clock += ms;
      await runCron(rig.platform);
      // This harness may not have the suites of runs from other tests.
      rig.mail.finish = rig.mail.finish.filter((message) => "run" in message);
      await rig.deliverAll();
    },
  };
}

const statusOf = async ({ runs }: Platform, run: string) => (await runs.get(run))?.status;

describe("a run in batches", () => {
  it("asks each question once despite lost replies, with the results of a live run at half the cost", async () => {
    const fake = fakeBatches({ isUnheard: (batch) => batch === 0 });
    const rig = clocked();
    const { platform } = rig;
    const dataset = await relayDataset(platform, SAMPLES);
    const live = await submitRun(platform, dataset, {
      models: [{ ...batched.models[0], slug: "acme/live" }],
    });
    await rig.deliverAll();
    const run = await submitRun(platform, dataset, batched);
    await rig.deliverAll();
    // The reply to the first batch was lost, so the batch is found again at the provider.
    expect(fake.batches).toHaveLength(1);
    await rig.later();
    expect(await wholeRun(platform, (await platform.runs.get(run))!, null)).toMatchObject({
      status: "running",
      estimatedFinishAt: null,
      batches: { open: 1, requests: SAMPLES },
    });
    // The second batch is submitted, but the lane dies before it is stored.
    fake.end();
    const { submitted } = platform.batches;
    platform.batches.submitted = async () => {
      throw new Error("the isolate died");
    };
    vi.spyOn(console, "error").mockImplementation(() => {});
    await rig.later();
    platform.batches.submitted = submitted;
    expect(fake.batches).toHaveLength(2);
    await rig.later(900_000);
    fake.end();
    await rig.later(900_000);
    expect(await statusOf(platform, run)).toBe("finished");
    expect(fake.batches).toHaveLength(2);
    expect(new Set(fake.asked).size).toBe(2 * SAMPLES);
    expect(fake.asked).toHaveLength(2 * SAMPLES);
    const [of, as] = [await platform.runs.get(run), await platform.runs.get(live)];
    expect(of?.metrics).toEqual(as?.metrics);
    expect(of).toMatchObject({ inputTokens: as?.inputTokens, outputTokens: as?.outputTokens });
    const [cost, liveCost] = [of, as].map((one) => wholeRun(platform, one!, null));
    expect((await cost)?.cost?.spentUsd).toBe((await liveCost)!.cost!.spentUsd / 2);
    const answers = await storedAnswers(platform, run);
    expect(answers.map(({ output }) => output)).toEqual(
      (await storedAnswers(platform, live)).map(({ output }) => output),
    );
    expect(answers[0]).toMatchObject({ batch: true, latencyMs: null, queueWaitMs: null });
    expect((await wholeRun(platform, of!, null)).timeline).toBeNull();
    const rows = await env.DB.prepare("SELECT * FROM batches WHERE run_id = ?1").bind(run).all();
    expect(rows.results).toEqual([]);
    expect(await platform.objects.keys(`runs/${run}/batches/`)).toEqual([]);
  });

  it.each([
    [3, { failed: 0, done: SAMPLES }],
    [0, { failed: 2, done: SAMPLES }],
  ])("repeats expired requests at most maxRetries (%i) times", async (maxRetries, progress) => {
    const isSlow = (content: string) => /word [12]$/.test(content);
    const fake = fakeBatches({
      expires: ({ body }, batch) => batch === 0 && isSlow(body.messages.at(-1)!.content),
    });
    const rig = clocked();
    const dataset = await relayDataset(rig.platform, SAMPLES);
    const options = { mode: "batch", maxRetries };
    const run = await submitRun(rig.platform, dataset, { ...batched, options });
    await rig.deliverAll();
    for (let looks = 0; looks < 4; looks++) {
      fake.end();
      await rig.later(900_000);
    }
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", ...progress });
    const firsts = fake.asked.filter((content) => content.startsWith("word"));
    expect(firsts).toHaveLength(maxRetries === 0 ? SAMPLES : SAMPLES + 2);
    const answers = await storedAnswers(rig.platform, run);
    expect(answers[1]?.error?.class).toBe(maxRetries === 0 ? "timeout" : undefined);
    expect(answers[0]?.error).toBeNull();
  });

  it("is refused with a list of providers if the provider has no batches", async () => {
    const { platform } = harness();
    const { batches: _, ...endpoint } = batched.models[0]!.endpoint;
    const models = [{ ...batched.models[0], endpoint }];
    const dataset = await relayDataset(platform, 1);
    const refused = submitRun(platform, dataset, { ...batched, models });
    await expect(refused).rejects.toThrow(/models\/0\/endpoint.*OpenAI, Anthropic, Google/);
    const unjudged = submitRun(platform, dataset, { options: { judgeMode: "batch" } });
    await expect(unjudged).rejects.toThrow(/judgeMode.*use no judge/);
  });

  it("waits while it is paused, and cancels its batch at the provider when it is cancelled", async () => {
    const fake = fakeBatches();
    const rig = clocked();
    const { platform } = rig;
    const owner = anAccount("acme");
    const run = await submitRun(platform, await relayDataset(platform, 2), batched);
    await rig.deliverAll();
    await controlRun(platform, owner, run, "pause");
    fake.end();
    await rig.later(900_000);
    expect(await platform.runs.get(run)).toMatchObject({ status: "paused", done: 0 });
    await controlRun(platform, owner, run, "resume");
    await rig.deliverAll();
    expect(fake.batches).toHaveLength(2);
    expect(fake.cancelled).toEqual([]);
    await controlRun(platform, owner, run, "cancel");
    expect(fake.cancelled).toEqual(["batch_1"]);
    await rig.later(900_000);
    expect(fake.batches).toHaveLength(2);
    expect(await platform.runs.get(run)).toMatchObject({ status: "cancelled", done: 0 });
  });
});

describe("judges in batches", () => {
  /** A run of the memory suite, whose judges are asked in batches. */
  async function judged() {
    const fake = fakeBatches({
      answer({ body }) {
        const system = body.messages[0]?.content;
        const judge = judges.find((one) => one.kind === "asked" && systemPrompt(one) === system);
        return JSON.stringify(judgments[judge?.id ?? ""]?.judgment ?? {});
      },
      other: (path) =>
        path.endsWith("/embeddings")
          ? {
              data: [0, 1].map((index) => ({ index, embedding: [1, index] })),
              usage: { prompt_tokens: 20 },
            }
          : null,
    });
    const around = { now: Date.now, sleep: async () => {}, random: () => 0 };
    const settings = {
      JUDGES: JSON.stringify({ fallback: "openai:judge", prices: { judge: prices } }),
      JUDGE_KEY_OPENAI: "sk-judge-0123456789",
    };
    const client = judgeClient(settings, around);
    const rig = clocked({}, (overrides) => judgedHarness(client, overrides));
    const run = await submitRun(rig.platform, await memoryDataset(rig.platform, 3), {
      suite: "memory",
      options: { judgeMode: "batch" },
    });
    await rig.deliverAll();
    fake.end();
    return { fake, rig, run };
  }

  it("judge all metrics of all answers in one batch per model, at half the price", async () => {
    const { fake, rig, run } = await judged();
    const submitted = fake.batches.length;
    await rig.later();
    expect(await rig.platform.runs.get(run)).toMatchObject({
      status: "finished",
      failedJudgments: 0,
    });
    expect(fake.batches).toHaveLength(submitted);
    const lines = fake.batches.flatMap((batch) => batch.lines);
    expect(new Set(lines.map(({ body }) => body.model)).size).toBe(submitted);
    const records = (await storedAnswers(rig.platform, run)).flatMap(({ judgments: all = {} }) =>
      Object.values(all).flat(),
    );
    const asked = records.filter(({ judge }) => judge === "judge");
    expect(lines.filter(({ body }) => body.model === "judge")).toHaveLength(asked.length);
    expect(asked.length).toBeGreaterThan(6);
    // 10 input and 5 output tokens, at half of 2 and 8 USD per million.
    expect(asked.map(({ costUsd }) => costUsd)).toEqual(asked.map(() => 30e-6));
  });

  it("are paid for where their run is cancelled, whose answers take space", async () => {
    const { rig, run } = await judged();
    const { runs } = rig.platform;
    const { commit } = runs;
    const before = (await runs.get(run))?.storedBytes ?? 0;
    runs.commit = async (given) => {
      const result = await commit(given);
      if (given.rows.length > 0) await runs.cancel(run, given.now);
      return result;
    };
    await rig.later();
    const { status, judgeSpend, storedBytes } = (await runs.get(run))!;
    const spent = (judgeSpend?.judges ?? []).reduce((sum, { usd }) => sum + usd, 0);
    expect([status, spent > 6 * 30e-6, storedBytes! > before]).toEqual(["cancelled", true, true]);
  });
});
