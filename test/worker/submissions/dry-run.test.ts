import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { SubmissionEstimate } from "../../../shared/contracts/submissions/estimate.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { allRows } from "../support/everything-kept.ts";
import {
  anAccount,
  answering,
  harness,
  relayDataset,
  submitRun,
  workOff,
} from "../support/harness.ts";

const dryRun = "/v1/submissions?dryRun=true";

const estimateOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as SubmissionEstimate;
};

async function setUp(samples: number, overrides: Partial<Platform> = {}) {
  const all = harness(overrides);
  const dataset = await relayDataset(all.platform, samples);
  return { ...all, ...serve(all.platform), dataset };
}

describe("POST /v1/submissions?dryRun=true", () => {
  it("stores nothing, sends no messages and calls no endpoint", async () => {
    const ask = () => Promise.reject(new Error("the endpoint was called"));
    const { platform, mail, dataset } = await setUp(20, { ask });
    const put = () => Promise.reject(new Error("an object was written"));
    const { post } = serve({ ...platform, objects: { ...platform.objects, put, putOnce: put } });
    const before = await allRows();
    const key = { "idempotency-key": crypto.randomUUID() };
    expect((await post(dryRun, aSubmission(dataset), key)).status).toBe(200);
    const answers = [{ id: "s0", output: "" }];
    const body = aSubmission(dataset, {}, { endpoint: undefined, answers });
    expect((await post(dryRun, body)).status).toBe(200);
    expect(await allRows()).toBe(before);
    expect(mail).toEqual({ evaluate: [], finish: [], webhooks: [] });
  });

  it("refuses the same submissions as a real one, with the same errors", async () => {
    const { post, dataset } = await setUp(3);
    const body = aSubmission(dataset, { options: { concurrncy: 3 } }, { slug: "No Slug" });
    const real = await post("/v1/submissions", body);
    const dry = await post(dryRun, body);
    expect(dry.status).toBe(422);
    expect((await problemOf(dry)).errors).toEqual((await problemOf(real)).errors);
    const unpriced = aSubmission(dataset, { options: { maxCostUsd: 1 } });
    expect((await problemOf(await post(dryRun, unpriced))).errors?.[0]?.pointer).toBe(
      "/models/0/prices",
    );
  });

  it("refuses to reuse answers if the service stores none, or if the suite scores latency", async () => {
    const { platform, post, dataset } = await setUp(3);
    const reused = (more = {}) =>
      aSubmission(dataset, { options: { reuseAnswers: true, ...more } });
    const errors = async (response: Response) => (await problemOf(response)).errors;
    expect(await errors(await post(dryRun, reused()))).toEqual([
      {
        pointer: "/options/reuseAnswers",
        detail: "this service stores no answers for reuse: leave it out",
      },
    ]);
    const answers = { read: async () => null, write: async () => {} };
    const storing = serve({ ...platform, answers });
    expect((await storing.post(dryRun, reused())).status).toBe(200);
    const timed = { ...platform.suites.all[0]!, scoresLatency: true as const };
    const suites = { all: [timed], byId: () => timed };
    const scoring = serve({ ...platform, answers, suites });
    expect((await errors(await scoring.post(dryRun, reused())))?.[0]?.detail).toContain(
      "scores latency, which a stored answer does not have",
    );
  });

  it("has the suite's note on the dataset, like a run", async () => {
    const { platform, dataset } = await setUp(3);
    const noting = { ...platform.suites.all[0]!, datasetNote: () => "rules are ignored" };
    const { post } = serve({ ...platform, suites: { all: [noting], byId: () => noting } });
    const { warnings } = await estimateOf(await post(dryRun, aSubmission(dataset)));
    expect(warnings).toEqual(["rules are ignored"]);
    const submitted = await post("/v1/submissions", aSubmission(dataset));
    const { runs } = (await submitted.json()) as { runs: { id: string }[] };
    expect((await platform.runs.get(runs[0]?.id ?? ""))?.notes).toContain("rules are ignored");
  });

  it("estimates from the board's runs how many samples distinguish models", async () => {
    const { platform, post, dataset, mail } = await setUp(40);
    expect((await estimateOf(await post(dryRun, aSubmission(dataset)))).separation).toBeNull();
    const rightShares = [0.9, 0.6, 0.75];
    for (const share of rightShares) {
      const ask = answering(({ messages }) => {
        const [, number = "0"] = /(\d+)$/.exec(messages.at(-1)?.content ?? "") ?? [];
        return Number(number) % 20 < 20 * share ? {} : { output: "no" };
      });
      const patched = { ...platform, ask };
      await submitRun(patched, dataset);
      await workOff(patched, mail);
    }
    const prices = { inputPerMillion: 1, outputPerMillion: 1 };
    const body = aSubmission(dataset, {}, { prices });
    const { separation } = await estimateOf(await post(dryRun, body));
    expect(separation).toMatchObject({ runs: 3, samples: 40 });
    const [fine, coarse] = separation!.differences;
    expect([fine?.difference, coarse?.difference]).toEqual([0.02, 0.05]);
    expect(fine!.least).toBeGreaterThan(5 * coarse!.least);
    expect(fine!.most).toBeGreaterThanOrEqual(fine!.least);
  });

  it("extrapolates requests and tokens from fifty units", async () => {
    const { post, dataset } = await setUp(240);
    const { models, total } = await estimateOf(await post(dryRun, aSubmission(dataset)));
    const [one] = models;
    expect(one).toMatchObject({ model: "local/model", samples: 240, units: 240, requests: 480 });
    expect(one?.basis.requests).toContain("from 50 of 240 samples");
    // The prompts are like "word 120" and "again: ", with four characters per token.
    expect(one?.inputTokens).toBeGreaterThan((240 * (6 + 7)) / 4);
    expect(one?.inputTokens).toBeLessThan((240 * (8 + 7)) / 4);
    expect(one?.basis.inputTokens).toContain("characters of prompts, schemas and tools / 4");
    expect(total).toMatchObject({ samples: 240, requests: 480 });
  });

  it("assumes a latency and leaves tokens open before the first run", async () => {
    const { platform, dataset } = await setUp(20);
    const precedent = async () => null;
    const { post } = serve({ ...platform, runs: { ...platform.runs, precedent } });
    const { models } = await estimateOf(await post(dryRun, aSubmission(dataset)));
    expect(models[0]).toMatchObject({
      outputTokens: { expected: null, max: null },
      costUsd: null,
      expectedWallSeconds: (40 * 2) / 20,
    });
    expect(models[0]?.basis.expectedWallSeconds).toContain(
      "40 requests × 2000 ms each, 20 at once; that latency is assumed",
    );
    expect(models[0]?.basis.outputTokens).toContain("no finished run on this dataset");
  });

  it("uses tokens and latency of the newest finished run", async () => {
    const timed = answering(() => ({ latencyMs: 800, outputTokens: 50 }));
    const { platform, deliverAll, post, dataset } = await setUp(20, { ask: timed });
    const run = await submitRun(platform, dataset);
    await deliverAll();
    const prices = { inputPerMillion: 0, outputPerMillion: 2000 };
    const estimate = await estimateOf(await post(dryRun, aSubmission(dataset, {}, { prices })));
    const [one] = estimate.models;
    expect(one?.outputTokens).toEqual({ expected: 20 * 50, max: null });
    expect(one?.costUsd).toEqual({ expected: 2, max: null });
    expect(one?.expectedWallSeconds).toBeCloseTo((40 * 0.8) / 20);
    expect(one?.basis.outputTokens).toContain(run);
    expect(one?.basis.expectedWallSeconds).toContain(
      `800 ms each, 20 at once; that is the mean latency of another model, in run ${run}`,
    );
    expect(one?.basis.costUsd).toContain(
      "$0.00 per million input tokens and $2,000.00 per million output",
    );
    expect(estimate.total.costUsd).toEqual({ expected: 2, max: null });
  });

  it("prefers the latency of the same model, and ignores unlisted runs of others", async () => {
    const { platform, deliverAll, post, dataset } = await setUp(4);
    const models = [
      {
        name: "Slow",
        slug: "local/model",
        endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" },
      },
    ];
    const own = harness({ ask: answering(() => ({ latencyMs: 3_000 })) });
    const submitted = await serve(own.platform).post(
      "/v1/submissions",
      aSubmission(dataset, { models }),
    );
    expect(submitted.status).toBe(202);
    await own.deliverAll();
    await submitRun(platform, dataset, { visibility: "unlisted" });
    await deliverAll();
    const [one] = (await estimateOf(await post(dryRun, aSubmission(dataset)))).models;
    expect(one?.basis.expectedWallSeconds).toMatch(
      /3000 ms each, 4 at once; that is the mean latency of this model/,
    );
    expect(one?.basis.outputTokens).toContain("of this model's newest run on this dataset");
  });

  it("prefers the tokens of the same model to a newer run of another model", async () => {
    const { platform, mail, post, dataset } = await setUp(4);
    const runOf = async (name: string, outputTokens: number) => {
      const patched = { ...platform, ask: answering(() => ({ outputTokens })) };
      const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
      await submitRun(patched, dataset, { models: [{ name, slug: `acme/${name}`, endpoint }] });
      await workOff(patched, mail);
    };
    await runOf("own", 10);
    await runOf("other", 90);
    const expected = async (slug: string) => {
      const { post } = serve(platform, { k: anAccount("acme") });
      const headers = { authorization: "Bearer k" };
      const body = aSubmission(dataset, {}, { slug });
      const [one] = (await estimateOf(await post(dryRun, body, headers))).models;
      return [one?.outputTokens.expected, /another model/.test(one?.basis.outputTokens ?? "")];
    };
    expect(await expected("acme/own")).toEqual([40, false]);
    expect(await expected("acme/new")).toEqual([360, true]);
    expect((await post(dryRun, aSubmission(dataset))).status).toBe(200);
  });

  it("ignores canaries, runs with many failures, and simulated models for a real model", async () => {
    const { platform, mail, post, dataset } = await setUp(20);
    const lost = { output: null, error: { class: "timeout", message: "late" } } as const;
    let sent = 0;
    const failing = answering(() => (sent++ % 4 === 0 ? { ...lost, outputTokens: null } : {}));
    const patched = { ...platform, ask: failing };
    await submitRun(patched, dataset);
    await workOff(patched, mail);
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const simulated = { name: "Sim", slug: "acme/sim", simulated: true, endpoint };
    const run = await submitRun(platform, dataset, { models: [simulated] });
    await workOff(platform, mail);
    const basisOf = async (more: object) => {
      const [one] = (await estimateOf(await post(dryRun, aSubmission(dataset, {}, more)))).models;
      return one?.basis.outputTokens;
    };
    expect(await basisOf({})).toContain("no finished run on this dataset");
    expect(await basisOf({ simulated: true })).toContain(run);
    await env.DB.prepare("UPDATE runs SET canary = 'empty' WHERE id = ?").bind(run).run();
    expect(await basisOf({ simulated: true })).toContain("no finished run on this dataset");
  });

  it("is free for answers made elsewhere, and shows the remaining quota", async () => {
    const { platform, dataset } = await setUp(4);
    const account = anAccount("acme", { keyId: crypto.randomUUID(), dailySamples: 3 });
    const { post } = serve(platform, { k: account });
    const answers = [{ id: "s0", output: "" }];
    const body = aSubmission(dataset, {}, { endpoint: undefined, answers });
    const estimate = await estimateOf(await post(dryRun, body, { authorization: "Bearer k" }));
    expect(estimate.models[0]).toMatchObject({
      requests: 0,
      inputTokens: 0,
      costUsd: { expected: 0, max: 0 },
      expectedWallSeconds: 0,
    });
    expect(estimate.quota).toMatchObject({ usedSamples: 0, allowedSamples: 3 });
  });

  it("requires a key if the deployment does", async () => {
    const { platform, dataset } = await setUp(2);
    const closed = { ...platform, settings: { ...platform.settings, requireApiKey: true } };
    expect((await serve(closed).post(dryRun, aSubmission(dataset))).status).toBe(401);
  });
});
