import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { partsKey, type RunParts } from "../../../api/runs/run-objects.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import { runView } from "../../../api/runs/view.ts";
import { estimateSubmission } from "../../../api/submissions/estimate-submission.ts";
import { checkSubmission, submit } from "../../../api/submissions/service.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import type { ToolsBreakdown } from "../../../shared/suites/tools/sum/breakdown.ts";
import { pingDataset } from "../support/a-dataset.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";

const endpoint = (name: string) => ({
  baseUrl: `http://127.0.0.1:8790/${name}`,
  model: name,
  apiKey: `sk-${name}`,
});
const hybrid = { local: endpoint("local"), cloud: endpoint("cloud"), confidenceThreshold: 0.5 };
const account = anAccount("acme");

/** Samples 0–9: the local endpoint's confidence rises with the number, its answers are right from 5 on, and 9 fails. */
function twoEndpoints() {
  const state = { asked: [] as string[], isMended: false, isFull: false };
  let clock = Date.now();
  const local = (sample: number) => ({
    latencyMs: 50,
    confidence: sample / 10,
    number: sample < 5 ? 99 : sample,
    isDown: sample === 9,
  });
  const cloud = (sample: number) => ({
    latencyMs: 200,
    confidence: null,
    number: sample,
    isDown: sample === 1 && !state.isMended,
  });
  const ask: AskModel = async (target, request) => {
    const sample = Number(/\d/.exec(request.messages.at(-1)?.content ?? "")?.[0]);
    const isLocal = target.model === "local";
    const { latencyMs, confidence, number, isDown } = isLocal ? local(sample) : cloud(sample);
    expect(target.apiKey).toBe(`sk-${target.model}`);
    expect(request.logprobs).toBe(isLocal ? true : undefined);
    if (state.isFull && !isLocal) {
      state.isFull = false;
      return { kind: "postponed", until: clock };
    }
    state.asked.push(`${target.model} ${sample}`);
    const answer = {
      ...emptyAnswer,
      requests: 1,
      attempts: 1,
      latencyMs,
      outputTokens: 5,
      confidence,
      toolCalls: [{ name: "ping", arguments: { n: number } }],
    };
    const error = { class: "server_error" as const, message: "500" };
    const failed = { ...answer, error, toolCalls: null, latencyMs: null, retryWaitMs: 100 };
    if (isDown) clock += 130;
    return { kind: "answer", answer: isDown ? failed : answer };
  };
  const suitesPort = { all: suites, byId: suiteById };
  return { ...harness({ ask, suites: suitesPort, now: () => clock }), state };
}

async function finished(options: object = {}, isFull = false) {
  const rig = twoEndpoints();
  rig.state.isFull = isFull;
  const dataset = await pingDataset(rig.platform);
  const run = await submitRun(rig.platform, dataset, {
    suite: "tools",
    options: { concurrency: 3, ...options },
    models: [{ name: "Both", slug: `acme/${crypto.randomUUID().slice(0, 8)}`, hybrid }],
  });
  await rig.deliverAll();
  return { ...rig, run: (await rig.platform.runs.get(run)) as RunRecord };
}

const breakdownOf = async (platform: Platform, run: RunRecord) =>
  (await platform.objects.get<RunParts>(partsKey(run)))?.breakdown as unknown as ToolsBreakdown;

describe("a run of a local and a cloud endpoint", () => {
  it("asks the cloud if the local endpoint fails or its confidence is below the threshold", async () => {
    const { platform, state, run } = await finished();
    const local = Array.from({ length: 10 }, (_, n) => `local ${n}`);
    const cloud = [0, 1, 2, 3, 4, 9].map((n) => `cloud ${n}`);
    expect(state.asked.toSorted()).toEqual([...cloud, ...local].toSorted());
    expect(run).toMatchObject({ status: "finished", done: 10, failed: 1, sealedSecrets: null });
    expect(run.metrics?.["onDeviceRatio"]?.value).toBeCloseTo(0.4);
    expect(run.metrics?.["avgF1"]?.value).toBeCloseTo(0.9);
    // Four local answers of 50 ms, four of 250 ms from both, and one of 200 ms after a failed local call of 30 ms.
    expect(run.metrics?.["avgTime"]?.value).toBeCloseTo((4 * 50 + 4 * 250 + 230) / 9);
    const rows = await platform.runs.samples(run.id, -1, 100);
    expect(rows.map(({ requests }) => requests)).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 2]);
    expect(runView(run, 0)).toMatchObject({
      hybrid: { cloudHost: "127.0.0.1:8790", confidenceThreshold: 0.5 },
    });
    const { hybrid: routed } = await breakdownOf(platform, run);
    expect(routed).toMatchObject({ n: 6, curve: expect.any(Array) });
    expect(routed?.curve.at(-1)).toMatchObject({
      threshold: 0.5,
      total: expect.closeTo(run.metrics?.["total"]?.value ?? 0, 9),
    });
  });

  it("does not ask the local endpoint again after the cloud postponed a request", async () => {
    const { platform, state, run } = await finished({ hybridSweep: true }, true);
    expect(state).toMatchObject({ isFull: false, asked: { length: 20 } });
    expect(await platform.objects.keys(`runs/${run.id}/replies/`)).toEqual([]);
  });

  it("asks both endpoints for every sample in a sweep, and finds the best threshold", async () => {
    const { platform, state, run } = await finished({ hybridSweep: true });
    expect(state.asked).toHaveLength(20);
    expect(run.metrics?.["onDeviceRatio"]?.value).toBeCloseTo(0.4);
    const { hybrid: swept } = await breakdownOf(platform, run);
    expect(swept?.n).toBe(10);
    expect(swept?.best).toMatchObject({ threshold: 0.5, onDevice: 0.4 });
    const { total } = swept?.curve.find(({ threshold }) => threshold === 0.5) ?? {};
    expect(total).toBeCloseTo(run.metrics?.["total"]?.value ?? 0);
    expect(swept?.curve.at(-1)).toMatchObject({
      threshold: null,
      onDevice: 0,
      avgTime: expect.closeTo(200, 9),
    });
  });

  it("is retried with the secrets of both endpoints, and stores neither", async () => {
    const { platform, state, run, deliverAll } = await finished();
    expect(await retryRun(platform, account, run.id, {})).toMatchObject({ ok: false });
    state.isMended = true;
    const secrets = { endpoint: { apiKey: "sk-local" }, cloud: { apiKey: "sk-cloud" } };
    expect(await retryRun(platform, account, run.id, secrets)).toMatchObject({ ok: true });
    await deliverAll();
    const after = await platform.runs.get(run.id);
    expect(after).toMatchObject({ status: "finished", failed: 0 });
    expect(after?.metrics?.["avgF1"]?.value).toBe(1);
    const stored = JSON.stringify([after, await platform.runs.samples(run.id, -1, 100)]);
    expect(stored).not.toContain("sk-local");
    expect(stored).not.toContain("sk-cloud");
  });
});

describe("a submission with a hybrid target", () => {
  it("is estimated as two requests a sample, one to each endpoint", async () => {
    const { platform } = twoEndpoints();
    const dataset = await pingDataset(platform);
    const submitter = { owner: "acme", anyOwner: false, quota: null };
    const estimate = async (target: object) => {
      const request = { suite: "tools", dataset, models: [{ name: "Both", ...target }] };
      const parsed = submissionRequestSchema.parse(request);
      const checked = await checkSubmission(platform, parsed, submitter);
      if (!checked.ok) throw new Error(JSON.stringify(checked.error));
      return estimateSubmission(platform, checked.value, submitter);
    };
    const one = await estimate({ endpoint: endpoint("local") });
    const both = await estimate({ hybrid });
    expect([one.total.requests, both.total.requests]).toEqual([10, 20]);
    expect(both.total.inputTokens).toBe(2 * one.total.inputTokens);
  });

  const refusal = async (request: object) => {
    const { platform } = twoEndpoints();
    const dataset = await pingDataset(platform);
    const parsed = submissionRequestSchema.parse({ suite: "tools", dataset, ...request });
    const created = await submit(platform, parsed, { owner: "acme", anyOwner: false, quota: null });
    return created.ok ? null : created.error;
  };

  it("is refused by a suite without hybrid targets", async () => {
    const { platform } = harness();
    const dataset = await relayDataset(platform, 1);
    const parsed = submissionRequestSchema.parse({
      suite: "relay",
      dataset,
      models: [{ name: "Both", hybrid }],
    });
    const created = await submit(platform, parsed, { owner: "acme", anyOwner: false, quota: null });
    expect(created).toMatchObject({
      ok: false,
      error: { errors: [{ pointer: "/models/0/hybrid" }] },
    });
  });

  it("has both addresses checked, is required by hybrid options, and excludes a plain endpoint", async () => {
    const bad = { ...hybrid, cloud: { ...hybrid.cloud, baseUrl: "ftp://example.com" } };
    expect(await refusal({ models: [{ name: "Both", hybrid: bad }] })).toMatchObject({
      errors: [{ pointer: "/models/0/hybrid/cloud/baseUrl" }],
    });
    const models = [{ name: "One", endpoint: endpoint("local") }];
    expect(await refusal({ models, options: { hybridSweep: true } })).toMatchObject({
      errors: [{ pointer: "/options/hybridSweep" }],
    });
    const both = [{ name: "Two", endpoint: endpoint("local"), hybrid }];
    expect(
      submissionRequestSchema.safeParse({ suite: "tools", dataset: "d", models: both }).success,
    ).toBe(false);
  });
});
