import { describe, expect, it } from "vitest";
import { startLanes } from "../../../api/engine/seat-lanes.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { controlRun } from "../../../api/runs/service.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { judges } from "../../../shared/judges/judges.ts";
import {
  fakeJudges,
  judgedHarness,
  judgedRun,
  memoryDataset,
  type Question,
  storedAnswers,
} from "../support/fake-judges.ts";
import { anAccount, deliver, submitRun } from "../support/harness.ts";

const owner = anAccount("acme");
const count = 4;

const submitted = (ids: readonly string[]) => [
  {
    name: "Elsewhere",
    slug: "acme/elsewhere",
    answers: ids.map((id) => ({ id, output: "Walk." })),
  },
];

describe("a run of a judged suite", () => {
  it("is answered, then judged by each metric's judge, and scored", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const { run } = await judgedRun(rig);
    const record = await rig.platform.runs.get(run);
    expect(record).toMatchObject({
      status: "finished",
      phase: "judging",
      total: count,
      done: count,
      failed: 0,
      failedJudgments: 0,
      inputTokens: 10 * count,
      outputTokens: 5 * count,
    });
    expect(record?.metrics?.["mcs"]).toMatchObject({ n: count, coverage: 1 });
    expect(record?.metrics?.["safety"]?.value).toBe(0.5);
    expect(record?.metrics?.["judgeRequests"]?.value).toBe(12 * count);
    const routesOf = (id: string) =>
      asked.filter(({ metric }) => metric === id).map(({ route }) => route.model);
    for (const { id, route } of judges)
      expect(routesOf(id)).toEqual(Array(count).fill(route.model));
    for (const row of await rig.platform.runs.samples(run, -1, count)) {
      expect(row).toMatchObject({ status: "scored", failedJudgments: 0 });
    }
  });

  it("asks judges for structured output at temperature 0, with the answer delimited as data", async () => {
    const asked: Question[] = [];
    await judgedRun(judgedHarness(fakeJudges(asked)));
    const [{ request } = { request: null }] = asked;
    expect(request).toMatchObject({ temperature: 0, structured: { mode: "auto" } });
    expect(request?.messages[1]?.content).toMatch(/<<<answer [0-9a-f]{16}\n/);
  });

  it("stores each judgment with its judge, prompt hash, tokens, latency and cost", async () => {
    const rig = judgedHarness(
      fakeJudges([], ({ metric }) =>
        metric === "empathy" ? { servedModel: "gpt-4o-dated" } : null,
      ),
    );
    const { run } = await judgedRun(rig);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["empathy"]).toEqual([
      {
        judge: "gpt-4o-dated",
        provider: "openai",
        judgment: judgments["empathy"]?.judgment,
        unjudged: null,
        promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        isCached: false,
        isFallback: false,
        isSelfPreference: false,
        isSimulated: false,
        requests: 1,
        latencyMs: 10,
        inputTokens: 1_000,
        outputTokens: 100,
        costUsd: 1.2,
      },
    ]);
    const { metrics } = (await rig.platform.runs.get(run)) ?? {};
    expect(metrics?.["judgeInputTokens"]?.value).toBe(count * (11 * 1_000 + 20));
    // Not all judges of the run have a price.
    expect(metrics?.["judgeCostUsd"]?.value).toBeNull();
  });

  it("deletes the model's API key before judging starts", async () => {
    const rig = judgedHarness(fakeJudges());
    const run = await submitRun(rig.platform, await memoryDataset(rig.platform, count), {
      suite: "memory",
    });
    expect((await rig.platform.runs.get(run))?.sealedSecrets).not.toBeNull();
    let sealed: unknown = "never judged";
    const watching = fakeJudges([], () => null);
    rig.platform.judging = {
      ...watching,
      async ask(...args) {
        sealed = (await rig.platform.runs.get(run))?.sealedSecrets;
        return watching.ask(...args);
      },
    };
    await rig.deliverAll();
    expect(sealed).toBeNull();
  });

  it("makes no judge call if the same answers were judged before", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const { dataset, run } = await judgedRun(rig);
    asked.length = 0;
    const again = await judgedRun(rig, {}, dataset);
    expect(asked).toEqual([]);
    const records = (await storedAnswers(rig.platform, again.run)).flatMap(
      ({ judgments: all = {} }) => Object.values(all).flat(),
    );
    expect(records).toHaveLength(12 * count);
    expect(records.every(({ isCached, requests }) => isCached && requests === 0)).toBe(true);
    const [first, second] = await Promise.all(
      [run, again.run].map((id) => rig.platform.runs.get(id)),
    );
    expect(second?.metrics?.["mcs"]?.value).toBe(first?.metrics?.["mcs"]?.value);
    expect(second?.metrics?.["judgeRequests"]?.value).toBe(0);
  });

  it("reuses judgments of another dataset that has the same question under another id", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const query = `Can I swim, too, ${crypto.randomUUID()}?`;
    await judgedRun(rig, {}, await memoryDataset(rig.platform, 1, { query }));
    expect(asked).toHaveLength(12);
    await judgedRun(rig, {}, await memoryDataset(rig.platform, 1, { query }));
    expect(asked).toHaveLength(12);
  });

  it("stores judgments that several judges make at the same time", async () => {
    const rig = judgedHarness(fakeJudges());
    const { run } = await judgedRun(rig, {}, undefined, 8);
    for (const judge of ["gpt-5", "gemini-3-pro"]) {
      expect((await rescoreRun(rig.platform, owner, run, { options: { judge } })).ok).toBe(true);
    }
    const lanes = rig.mail.evaluate.splice(0);
    await Promise.all(lanes.map((lane) => deliver(rig.platform, "judge", lane)));
    await rig.deliverAll();
    const asked: Question[] = [];
    const again = judgedHarness(fakeJudges(asked));
    const { datasetName = "" } = (await rig.platform.runs.get(run)) ?? {};
    for (const judge of ["gpt-5", "gemini-3-pro"]) {
      await judgedRun(again, { options: { judge } }, datasetName);
    }
    expect(asked).toEqual([]);
  });

  it("asks once if two runs need the same judgment at the same time", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const { run } = await judgedRun(rig, {}, undefined, 8);
    asked.length = 0;
    for (const options of [{ judge: "gpt-5" }, { judges: ["gpt-5", "gemini-3-pro"] }]) {
      expect((await rescoreRun(rig.platform, owner, run, { options })).ok).toBe(true);
    }
    const lanes = rig.mail.evaluate.splice(0);
    await Promise.all(lanes.map((lane) => deliver(rig.platform, "judge", lane)));
    await rig.deliverAll();
    const texts = asked.filter(({ request }) => request !== null);
    const questions = texts.map((question) => JSON.stringify(question));
    expect(questions.length).toBeGreaterThan(11 * 8);
    expect(new Set(questions).size).toBe(questions.length);
  });

  it.each(["cancel", "pause"] as const)("stops asking soon after a %s", async (action) => {
    const count = 8;
    let clock = Date.now();
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked), { now: () => clock });
    const judging = rig.platform.judging;
    rig.platform.judging = {
      ...judging,
      async ask(...args) {
        clock += 600;
        if (asked.length === 20) await controlRun(rig.platform, owner, run, action, {});
        return judging.ask(...args);
      },
    };
    const run = await submitRun(rig.platform, await memoryDataset(rig.platform, count), {
      suite: "memory",
    });
    await rig.deliverAll();
    expect(asked.length).toBeGreaterThanOrEqual(20);
    expect(asked.length).toBeLessThan(50);
    rig.platform.judging = judging;
    if (action === "cancel") return;
    await controlRun(rig.platform, owner, run, "resume", {});
    // The lanes were postponed, so the cron job starts them.
    clock += 10_000;
    await startLanes(rig.platform, "judging");
    await rig.deliverAll();
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", done: count });
    expect(asked).toHaveLength(12 * count);
  });

  it("asks only the judge that changed", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const { dataset } = await judgedRun(rig);
    asked.length = 0;
    await judgedRun(rig, { options: { judgeOverrides: { empathy: "gpt-5" } } }, dataset);
    expect(asked.map(({ metric, route }) => [metric, route.model])).toEqual(
      Array(count).fill(["empathy", "gpt-5"]),
    );
  });

  it("scores a failed request as 0 without asking a judge", async () => {
    const asked: Question[] = [];
    const failing: Platform["ask"] = async () => ({
      kind: "answer",
      answer: {
        ...emptyAnswer,
        error: { class: "timeout", message: "no" },
        requests: 1,
      },
    });
    const rig = judgedHarness(fakeJudges(asked), { ask: failing });
    const { run } = await judgedRun(rig);
    expect(asked).toEqual([]);
    const record = await rig.platform.runs.get(run);
    expect(record).toMatchObject({ status: "finished", failed: count, done: count });
    expect(record?.metrics?.["mcs"]).toMatchObject({ value: 0, coverage: 0 });
  });
});

describe("submitted answers", () => {
  it("are judged at once", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const dataset = await memoryDataset(rig.platform, count);
    const ids = Array.from({ length: count }, (_, i) => `${dataset}-${i}`);
    const { run } = await judgedRun(rig, { models: submitted(ids) }, dataset);
    expect(asked).toHaveLength(12 * count);
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", done: count });
  });
});

describe("rescoring", () => {
  it("with another judge asks that judge and not the model", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const { run } = await judgedRun(rig);
    asked.length = 0;
    const ask: Platform["ask"] = async () => expect.unreachable("the model was asked");
    const again = judgedHarness(fakeJudges(asked), { ask });
    const options = { judge: "gemini-3-pro" };
    const rescored = await rescoreRun(again.platform, owner, run, { options });
    if (!rescored.ok) throw new Error(JSON.stringify(rescored.error));
    await again.deliverAll();
    const [child] = (await again.platform.runs.submission(rescored.value))?.runs ?? [];
    expect(child).toMatchObject({ status: "finished", parentId: run, done: count, failed: 0 });
    const models = new Set(asked.map(({ route }) => route.model));
    expect([...models]).toEqual(["gemini-3-pro"]);
    expect(asked).toHaveLength(11 * count);
    const parent = await again.platform.runs.get(run);
    expect(child?.scoringVersion).not.toBe(parent?.scoringVersion);
    expect(child?.boardId).not.toBe(parent?.boardId);
  });

  it("with a judge replaces the panel and overrides of the run", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const options = { judges: ["gpt-5", "gemini-3"], judgeOverrides: { empathy: "gpt-4.1" } };
    const { run } = await judgedRun(rig, { options });
    asked.length = 0;
    const judge = { options: { judge: "gemini-3-pro" } };
    expect((await rescoreRun(rig.platform, owner, run, judge)).ok).toBe(true);
    await rig.deliverAll();
    expect(new Set(asked.map(({ route }) => route.model))).toEqual(new Set(["gemini-3-pro"]));
  });

  it("with the same judges is refused, since nothing would change", async () => {
    const rig = judgedHarness(fakeJudges());
    const { run } = await judgedRun(rig);
    expect(await rescoreRun(rig.platform, owner, run, { options: {} })).toMatchObject({
      ok: false,
      error: { type: "conflict" },
    });
  });
});
