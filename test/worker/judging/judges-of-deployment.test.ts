import { describe, expect, it } from "vitest";
import type { JudgeClient } from "../../../api/providers/judges.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { partsKey, type RunParts } from "../../../api/runs/run-objects.ts";
import { estimateSubmission } from "../../../api/submissions/estimate-submission.ts";
import { checkSubmission } from "../../../api/submissions/service.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import type { MemoryBreakdown } from "../../../shared/suites/memory/sum/breakdown.ts";
import {
  fakeJudges,
  judgedHarness,
  judgedRun,
  memoryDataset,
  type Question,
  storedAnswers,
} from "../support/fake-judges.ts";
import { anAccount, deliver, submitRun } from "../support/harness.ts";

const count = 8;

describe("a panel", () => {
  it("asks each judge and takes the median of their scores; the run has their agreement", async () => {
    const scores: Record<string, number> = { "gpt-4o": 0.2, "claude-x": 0.9, "gemini-x": 0.6 };
    const rig = judgedHarness(
      fakeJudges([], ({ metric, route }) =>
        metric === "politeness"
          ? { output: JSON.stringify({ politeness_score: scores[route.model] }) }
          : null,
      ),
    );
    const judges = Object.keys(scores);
    const { run } = await judgedRun(rig, { options: { judges } });
    const { metrics } = (await rig.platform.runs.get(run)) ?? {};
    expect(metrics?.["politeness"]?.value).toBeCloseTo(0.6, 12);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["politeness"]?.map(({ judge }) => judge)).toEqual(judges);
    const parts = await rig.platform.objects.get<RunParts>(partsKey({ id: run, retries: [] }));
    const { panels } = parts!.breakdown as unknown as MemoryBreakdown;
    const agreement = panels.find(({ metric }) => metric === "politeness");
    expect(agreement).toMatchObject({ answers: 4, ratings: 12 });
    // Judges who differ in the same way on every answer agree less than by chance.
    expect(agreement?.alpha.value).toBeLessThan(0);
  });
});

describe("judges of a deployment", () => {
  const none = { providers: [], routes: {}, fallbackJudge: null };
  const submitWith = async (judging: ReturnType<typeof fakeJudges>, options = {}) => {
    const rig = judgedHarness(judging);
    return submitRun(rig.platform, await memoryDataset(rig.platform, 1), {
      suite: "memory",
      options,
    });
  };

  it("without any key refuse a run that would have no score", async () => {
    await expect(submitWith(fakeJudges([], undefined, { deployment: none }))).rejects.toThrow(
      /no score without judges for memory_utilization, groundedness, safety.*JUDGE_KEY_OPENAI/,
    );
  });

  it("with invalid settings refuse a run and name the setting", async () => {
    const problem = "JUDGES /fallback: must be a string";
    const judging = fakeJudges([], undefined, { deployment: none, problem });
    await expect(submitWith(judging)).rejects.toThrow(problem);
  });

  it("fall back if a provider has no key, and the run reports it", async () => {
    const deployment = { providers: ["openai"], routes: {}, fallbackJudge: "gpt-4o" };
    const rig = judgedHarness(fakeJudges([], undefined, { deployment }));
    const { run } = await judgedRun(rig);
    expect((await rig.platform.runs.get(run))?.judging?.judges["safety"]).toMatchObject({
      routes: [{ provider: "openai", model: "gpt-4o" }],
      by: "fallback",
    });
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["safety"]?.[0]?.isFallback).toBe(true);
  });

  it("can be named by a run only if the deployment offers them", async () => {
    const judging = fakeJudges([], undefined, { models: ["gpt-5"] });
    await expect(submitWith(judging, { judge: "gpt-6-pro" })).rejects.toThrow(
      /options\/judge.*does not offer judge .*gpt-6-pro.*it has .*openai:gpt-5/,
    );
    await expect(submitWith(judging, { judge: "mistral:large" })).rejects.toThrow(/does not offer/);
    await expect(submitWith(judging, { judge: "gpt-5" })).resolves.toMatch(/^run_/);
  });

  it("are in an estimate, with the maximum number of judge requests", async () => {
    const { platform } = judgedHarness(fakeJudges());
    const dataset = await memoryDataset(platform, count);
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const request = submissionRequestSchema.parse({
      suite: "memory",
      dataset,
      options: { judges: ["gpt-5", "gemini-3"] },
      models: [{ name: "Model", slug: "acme/m", endpoint }],
    });
    const submitter = { owner: "acme", anyOwner: false, quota: null };
    const checked = await checkSubmission(platform, request, submitter);
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    const estimate = await estimateSubmission(platform, checked.value, submitter);
    // A panel of two for eleven metrics, and one request for embeddings.
    expect(estimate.judgeRequests).toBe(count * (2 * 11 + 1));
    expect(estimate.judging?.judges["empathy"]?.by).toBe("run");
  });

  it("from the provider of the model under test are flagged", async () => {
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "gpt-5-mini" };
    const rig = judgedHarness(fakeJudges());
    const models = [{ name: "Model", slug: "acme/mini", endpoint }];
    const { run } = await judgedRun(rig, { models });
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["empathy"]?.[0]?.isSelfPreference).toBe(true);
    expect(answer?.judgments?.["safety"]?.[0]?.isSelfPreference).toBe(false);
  });
});

describe("the stages before an answer", () => {
  const open = { emotion: undefined, personality: undefined };
  const traits = JSON.stringify({
    openness: 0.1,
    conscientiousness: 0.2,
    extraversion: 0.3,
    agreeableness: 0.4,
    neuroticism: 0.5,
  });
  const finding = ({ metric }: Question) => {
    if (metric === "personality") return { output: traits };
    return metric.endsWith("_emotion") ? { output: '{"fear": 1}' } : null;
  };
  const stages = ["speech_emotion", "text_emotion", "personality"];

  it("are asked once for all models, put in each prompt, and stored", async () => {
    const asked: Question[] = [];
    const prompts: string[] = [];
    const rig = judgedHarness(fakeJudges(asked, finding));
    const { ask } = rig.platform;
    rig.platform.ask = async (target, request, ...rest) => {
      prompts.push(request.messages[0]?.content ?? "");
      return ask(target, request, ...rest);
    };
    const dataset = await memoryDataset(rig.platform, 2, open);
    await judgedRun(rig, {}, dataset);
    const first = asked.filter(({ metric }) => stages.includes(metric));
    expect(first.map(({ metric }) => metric).sort()).toEqual([...stages, ...stages].sort());
    expect(first.find(({ metric }) => metric === "speech_emotion")?.request?.audio).toEqual({
      data: "UklGRg==",
      format: "wav",
    });
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain("fear 1.00, ");
    asked.length = 0;
    const { run } = await judgedRun(rig, {}, dataset);
    expect(asked).toEqual([]);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.stages?.["personality"]).toMatchObject({ isReused: true, failure: null });
  });

  it("are charged once, to the first run, and not to a rescoring of its answers", async () => {
    const prices = { inputPerMillion: 1_000, outputPerMillion: 1_000, audioPerMillion: 9_000 };
    const replyTo = (question: Question) => {
      const reply = finding(question);
      return question.metric === "speech_emotion" ? { ...reply, audioTokens: 500 } : reply;
    };
    const rig = judgedHarness(fakeJudges([], replyTo, { priceOf: () => prices }));
    const dataset = await memoryDataset(rig.platform, 2, open);
    const spentOf = async (run: string) => {
      const spent = (await rig.platform.runs.get(run))?.judgeSpend?.judges ?? [];
      return Object.fromEntries(spent.map(({ judge, ...calls }) => [judge, calls]));
    };
    const { run } = await judgedRun(rig, {}, dataset);
    const spent = await spentOf(run);
    const counts = { requests: 2, inputTokens: 2_000, outputTokens: 200, unpriced: 0 };
    expect(spent["openai:gpt-audio-1.5"]).toEqual({ ...counts, usd: 2.2 + 8 });
    // Two recordings of two seconds.
    const usd = expect.closeTo((spent["openai:gpt-4o-mini-tts"]!.inputTokens + 84) / 1_000, 9);
    expect(spent["openai:gpt-4o-mini-tts"]).toMatchObject({ requests: 2, outputTokens: 84, usd });
    const { metrics } = (await rig.platform.runs.get(run))!;
    const total = Object.values(spent).reduce((sum, one) => sum + one.usd, 0);
    const ofStages = total - (metrics?.["judgeCostUsd"]?.value ?? 0);
    // Audio in, speech out, and two text stages of two samples.
    expect(ofStages).toBeCloseTo(10.2 + spent["openai:gpt-4o-mini-tts"]!.usd + 4 * 1.1, 9);
    const again = await judgedRun(rig, {}, dataset);
    expect(await spentOf(again.run)).toEqual({});
    const by = anAccount("acme", { scopes: ["submit", "admin"] });
    const rescored = await rescoreRun(rig.platform, by, run, { options: { judge: "gemini-3" } });
    if (!rescored.ok) throw new Error(JSON.stringify(rescored.error));
    const [child] = (await rig.platform.runs.submission(rescored.value))?.runs ?? [];
    await rig.deliverAll();
    expect(await rig.platform.runs.get(child!.id)).toMatchObject({ status: "finished" });
    expect(Object.keys(await spentOf(child!.id))).toEqual(["google:gemini-3"]);
  });

  it("have no value if they fail, and the model is asked anyway", async () => {
    const failing = ({ metric }: Question) =>
      stages.includes(metric) ? { output: "I can't." } : null;
    const rig = judgedHarness(fakeJudges([], failing));
    const { run } = await judgedRun(rig, {}, await memoryDataset(rig.platform, 2, open));
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.stages?.["text_emotion"]).toMatchObject({
      value: null,
      failure: "the reply has no JSON object",
    });
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", failed: 0 });
  });

  /** The stages of the first sample, with a part of the judge client replaced. */
  async function found(
    more: Partial<JudgeClient>,
    reply: Parameters<typeof fakeJudges>[1] = finding,
  ) {
    const rig = judgedHarness(fakeJudges([], reply, more));
    const { run } = await judgedRun(rig, {}, await memoryDataset(rig.platform, 1, open));
    const [answer] = await storedAnswers(rig.platform, run);
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", failed: 0 });
    return answer?.stages ?? {};
  }

  it("have no value for speech if the recording fails or is empty", async () => {
    const failed = {
      kind: "recording" as const,
      recording: null,
      error: "rate_limited" as const,
      seconds: 0,
      attempts: 1,
    };
    const stages = await found({ speak: async () => failed });
    expect(stages["speech_emotion"]).toMatchObject({ value: null, failure: "rate_limited" });
    expect(stages["text_emotion"]).toMatchObject({ value: { fear: 1 }, failure: null });
    const silent = { ...failed, error: null };
    const others = await found({ speak: async () => silent });
    expect(others["speech_emotion"]).toMatchObject({ failure: "no recording" });
  });

  it("reuse the recording of a text even if the emotion in it could not be read", async () => {
    let spoken = 0;
    const recording = { data: "UklGRg==", format: "wav" as const };
    const speak: JudgeClient["speak"] = async () => {
      spoken++;
      return { kind: "recording", recording, error: null, seconds: 1, attempts: 1 };
    };
    const deaf = (question: Question) =>
      question.metric === "speech_emotion" ? { output: "?" } : finding(question);
    const rig = judgedHarness(fakeJudges([], deaf, { speak }));
    const dataset = await memoryDataset(rig.platform, 1, open);
    await judgedRun(rig, {}, dataset);
    await judgedRun(rig, {}, dataset);
    expect(spoken).toBe(1);
  });

  it("record the error class of a model that fails", async () => {
    const error = { class: "timeout" as const, message: "no answer in time" };
    const stages = await found({}, (question) =>
      question.metric === "personality" ? { output: null, error } : finding(question),
    );
    expect(stages["personality"]).toMatchObject({ value: null, failure: "timeout" });
  });

  it("postpone the lane while a model is overloaded, and continue afterwards", async () => {
    const now = Date.now();
    let isBusy = true;
    const rig = judgedHarness(
      fakeJudges([], (question) =>
        isBusy && question.metric === "personality"
          ? { postponed: now + 60_000 }
          : finding(question),
      ),
    );
    const dataset = await memoryDataset(rig.platform, 1, open);
    const run = await submitRun(rig.platform, dataset, { suite: "memory" });
    const lane = rig.mail.evaluate.shift();
    expect(await deliver(rig.platform, "evaluate", lane)).toBe("ack");
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "running", done: 0 });
    isBusy = false;
    rig.platform.now = () => now + 120_000;
    await rig.deliverAll();
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", done: 1 });
  });
});
