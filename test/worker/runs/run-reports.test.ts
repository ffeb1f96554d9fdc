import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { partsKey } from "../../../api/runs/run-objects.ts";
import type { SampleResult } from "../../../shared/contracts/run.ts";
import {
  type Highlights,
  highlightsSchema,
  type RunReport,
  runReportSchema,
  type SampleReport,
  sampleReportSchema,
} from "../../../shared/contracts/run-report.ts";
import { problemOf, serve } from "../support/client.ts";
import { fakeJudges, judgedHarness, judgedRun } from "../support/fake-judges.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const owner = anAccount("acme");
const samples = 12;

/** A model that times out on word 3, is slow on word 7 and wrong on word 5. */
const model = answering(({ messages }) => {
  const word = messages.at(-1)?.content ?? "";
  if (word === "word 3") return { error: { class: "timeout", message: "late" }, output: null };
  if (/word 7/i.test(word)) return { latencyMs: 900 };
  return /word 5/i.test(word) ? { output: "something else" } : {};
});

async function finishedRun(overrides: Partial<Platform> = {}, models?: unknown) {
  const rig = harness({ ask: model, ...overrides });
  const dataset = await relayDataset(rig.platform, samples);
  const run = await submitRun(rig.platform, dataset, {
    options: { concurrency: 20 },
    ...(models === undefined ? {} : { models }),
  });
  await rig.deliverAll();
  return { ...rig, run, dataset, ...reads(rig.platform, run) };
}

/** Reads of a run; each reply is checked against its schema. */
function reads(platform: Platform, run: string) {
  const api = serve(platform);
  const read = async (path: string) => (await api.get(`/v1/runs/${run}${path}`)).json();
  return {
    api,
    highlights: async () => checked<Highlights>(highlightsSchema, await read("/highlights")),
    report: async () => checked<RunReport>(runReportSchema, await read("/report")),
    sampleReport: async (id: string) =>
      checked<SampleReport>(sampleReportSchema, await read(`/samples/${id}/report`)),
  };
}

function checked<T>(schema: { parse(value: unknown): unknown }, value: unknown): T {
  expect(schema.parse(value)).toEqual(value);
  return value as T;
}

const picked = ({ samples: shown }: Highlights) =>
  shown.map(({ kind, reason, result }) => [kind, result.id, reason]);

describe("the points of a run", () => {
  it("are part of a finished run", async () => {
    const { api, run } = await finishedRun();
    const { points } = await api.run(run);
    expect(points?.answers).toBe(samples);
    expect(points?.latency.map(({ count }) => count)).toEqual([10, 0, 0, 0, 1]);
    expect(points?.points).toHaveLength(samples);
    expect(points?.points[4]).toEqual({
      id: "s4",
      score: 1,
      latencyMs: 1,
      inputTokens: 10,
      outputTokens: 5,
      features: { characters: "AGAIN: WORD 4".length },
    });
  });

  it("are null before it has finished", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    expect((await serve(platform).run(run)).points).toBeNull();
  });

  it("are the same after a rescoring and updated by a retry", async () => {
    let isMended = false;
    const ask: Platform["ask"] = (...args) =>
      (isMended ? answering(() => ({ outputTokens: 50 })) : model)(...args);
    const rig = await finishedRun({ ask });
    const { platform, run } = rig;
    const raised = { ...relaySuite, version: "2" };
    platform.suites = { all: [raised], byId: () => raised };
    const rescored = await rescoreRun(platform, owner, run, { options: {} });
    await rig.deliverAll();
    const child = (await platform.runs.submission(rescored.ok ? rescored.value : ""))?.runs[0];
    const [points, again] = await Promise.all(
      [run, child?.id ?? ""].map(async (id) => (await serve(platform).run(id)).points),
    );
    expect(again).toEqual(points);
    isMended = true;
    platform.suites = { all: [relaySuite], byId: () => relaySuite };
    await retryRun(platform, owner, run, { endpoint: { apiKey: "k" } });
    await rig.deliverAll();
    expect((await serve(platform).run(run)).points?.picks.at(-1)).toMatchObject({
      kind: "odd",
      reason: "longest answer",
      id: "s3",
    });
  });
});

describe("GET /v1/runs/{id}/highlights", () => {
  it("has the worst, the best and the odd answers, equal to the routes of single samples", async () => {
    const { api, run, highlights } = await finishedRun();
    const found = await highlights();
    expect(picked(found)).toEqual([
      ["worst", "s5", "lowest score"],
      ["best", "s0", "highest score"],
      ["odd", "s3", "failed request (timeout)"],
      ["odd", "s7", "slowest answer"],
    ]);
    for (const { result } of found.samples) {
      const own = await api.get(`/v1/runs/${run}/samples/${result.id}`);
      expect((await own.json()) as SampleResult).toEqual(result);
    }
  });

  it("leaves out answers that are too long for a page, which are stored in several objects", async () => {
    const long = answering(({ messages }) => {
      const word = messages.at(-1)?.content ?? "";
      return /word [0-8]$/i.test(word) ? { output: `${word} ${"x".repeat(1_500_000)}` } : {};
    });
    const { platform, run, highlights } = await finishedRun({ ask: long });
    const { samples: shown } = await highlights();
    expect(shown.map(({ result }) => result.id)).toEqual(["s9"]);
    const rows = await platform.runs.samples(run, -1, samples);
    expect(new Set(rows.map(({ object }) => object)).size).toBeGreaterThan(2);
  });

  it("reads rows together, and each object once", async () => {
    const { platform, run } = await finishedRun();
    const read: string[] = [];
    const get: Platform["objects"]["get"] = (key) => {
      read.push(key);
      return platform.objects.get(key);
    };
    const runs = { ...platform.runs, sample: () => Promise.reject(new Error("one row was read")) };
    await reads({ ...platform, objects: { ...platform.objects, get }, runs }, run).highlights();
    expect(new Set(read).size).toBe(read.length);
  });

  it("includes answers made elsewhere", async () => {
    const answers = [
      { id: "s0", output: "AGAIN: WORD 0" },
      { id: "s1", output: "no" },
    ];
    const { highlights } = await finishedRun({}, [{ name: "M", slug: "acme/m", answers }]);
    expect(picked(await highlights())).toEqual([
      ["worst", "s1", "lowest score"],
      ["best", "s0", "highest score"],
      ["odd", "s2", "no answer was submitted"],
    ]);
  });

  it("names the repeat of each sample", async () => {
    const plan: typeof relaySuite.plan = (heads) =>
      heads.flatMap((_, i) => [0, 1].map((repeat) => ({ samples: [i], repeat })));
    const repeating = { ...relaySuite, plan };
    let asked = 0;
    const rig = await finishedRun({
      suites: { all: [repeating], byId: () => repeating },
      ask: answering(() => (++asked === 2 * samples * 2 ? { output: "wrong" } : {})),
    });
    const { samples: shown } = await rig.highlights();
    expect(shown[0]).toMatchObject({ kind: "worst", repeat: 1, result: { id: "s11", seq: 23 } });
    expect((await rig.report()).samples[0]).toMatchObject({ id: "s11", repeat: 1 });
  });

  it("answers not-ready for an active run, and conflict for a cancelled one", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    const { api } = reads(platform, run);
    const early = await api.get(`/v1/runs/${run}/highlights`);
    expect(early.status).toBe(409);
    expect(await problemOf(early)).toMatchObject({
      type: expect.stringContaining("/errors/not-ready/"),
      detail: `run "${run}" is queued; highlights are selected when a run finishes`,
    });
    await platform.runs.cancel(run, platform.now());
    const type = expect.stringContaining("/errors/conflict/");
    expect(await problemOf(await api.get(`/v1/runs/${run}/highlights`))).toMatchObject({ type });
    expect((await api.get("/v1/runs/run_x/highlights")).status).toBe(404);
  });

  it("is empty after the raw answers were deleted, and if nothing was picked", async () => {
    const clock = { now: Date.now() };
    const settings = { ...harness().platform.settings, rawRetentionDays: 1 };
    const { platform, run, ...made } = await finishedRun({ now: () => clock.now, settings });
    expect((await made.highlights()).samples).not.toEqual([]);
    clock.now += 86_400_000;
    expect(await made.highlights()).toEqual({ samples: [] });
    const { sections, samples: shown } = await made.report();
    expect([sections.map(({ id }) => id), shown]).toEqual([["summary", "failed-requests"], []]);
    expect((await made.api.get(`/v1/runs/${run}/samples/s0/report`)).status).toBe(410);
    await platform.objects.remove([partsKey({ id: run, retries: [] })]);
    expect((await made.api.run(run)).points).toBeNull();
    expect(await made.highlights()).toEqual({ samples: [] });
  });
});

describe("GET /v1/runs/{id}/report", () => {
  it("has run, suite, sections and shown samples, and no secret", async () => {
    const { api, run, report } = await finishedRun();
    const made = await report();
    const { breakdown: _, timeline: __, points: ___, ...listed } = await api.run(run);
    expect(made.run).toEqual(listed);
    expect(made.suite).toMatchObject({ id: "relay", headline: "passed", judges: [] });
    expect(made.suite.metrics).toEqual(relaySuite.metrics);
    expect(made.sections).toMatchObject([
      { id: "summary", intro: `Of ${samples} answers.`, blocks: [{ kind: "note" }] },
      { id: "failed-requests" },
    ]);
    const text = "AGAIN: SOMETHING ELSE";
    expect(made.samples[0]).toMatchObject({
      kind: "worst",
      reason: "lowest score",
      id: "s5",
      repeat: 0,
      score: 0,
      blocks: [{ kind: "text", text }, { text: `${text}: 0` }],
    });
    expect(JSON.stringify(made)).not.toContain("sk-plain-secret");
  });

  it("shows whether the dataset has a board; a run of a subset makes none", async () => {
    const { platform, dataset, deliverAll, report } = await finishedRun();
    expect((await report()).hasBoard).toBe(true);
    const other = await relayDataset(platform, samples);
    expect(other).not.toBe(dataset);
    const run = await submitRun(platform, other, { options: { sample: { n: 3 } } });
    await deliverAll();
    expect((await reads(platform, run).report()).hasBoard).toBe(false);
  });

  it("answers 304 while nothing has changed", async () => {
    const { api, run } = await finishedRun();
    for (const path of ["report", "highlights", "samples/s0/report"]) {
      const etag = (await api.get(`/v1/runs/${run}/${path}`)).headers.get("etag") ?? "";
      const again = await api.get(`/v1/runs/${run}/${path}`, { "if-none-match": etag });
      expect(again.status, path).toBe(304);
    }
  });

  it("has only the state of an active run, with retry-after", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    const { api, report } = reads(platform, run);
    expect(await report()).toMatchObject({ run: { status: "queued" }, sections: [], samples: [] });
    expect((await api.get(`/v1/runs/${run}/report`)).headers.get("retry-after")).toBe("2");
  });

  it("shows a note if a later version of the suite can't read the stored results", async () => {
    const { platform, run } = await finishedRun();
    const broken = () => {
      throw new TypeError("no such table");
    };
    const later = { ...relaySuite, version: "2", report: broken, showSample: broken };
    const changed = { ...platform, suites: { all: [later], byId: () => later } };
    const { sections, samples: shown } = await reads(changed, run).report();
    expect(sections[0]?.blocks).toMatchObject([{ kind: "note", title: "An older version" }]);
    expect(shown[0]?.blocks).toMatchObject([{ kind: "note", title: "Can't be shown" }]);
    const same = { ...later, version: relaySuite.version };
    const bug = serve({ ...platform, suites: { all: [same], byId: () => same } });
    expect((await bug.get(`/v1/runs/${run}/report`)).status).toBe(500);
  });

  it("shows a judged run with its judges and judgments", async () => {
    const rig = judgedHarness(fakeJudges());
    const { run } = await judgedRun(rig);
    const { suite, sections, samples: shown } = await reads(rig.platform, run).report();
    expect(suite.judges.map(({ id }) => id)).toContain("safety");
    expect(sections.length).toBeGreaterThan(2);
    expect(shown[0]?.blocks.length).toBeGreaterThan(1);
  });
});

describe("GET /v1/runs/{id}/samples/{sampleId}/report", () => {
  it("has the row and the blocks of a sample", async () => {
    const { sampleReport } = await finishedRun();
    const { sample, blocks } = await sampleReport("s4");
    expect(sample).toMatchObject({ id: "s4", seq: 4, repeat: 0, score: 1, latencyMs: 1 });
    expect(blocks[0]).toMatchObject({ kind: "text", text: "AGAIN: WORD 4" });
  });

  it.each([
    ["s99", 404],
    ["s0/report?repeat=1", 404],
    ["s0/report?repeat=x", 422],
  ])("refuses %s", async (path, status) => {
    const { api, run } = await finishedRun();
    const address = path.includes("/") ? path : `${path}/report`;
    expect((await api.get(`/v1/runs/${run}/samples/${address}`)).status).toBe(status);
  });

  it("answers 409 before the sample is answered", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 2));
    expect((await serve(platform).get(`/v1/runs/${run}/samples/s0/report`)).status).toBe(409);
  });
});
