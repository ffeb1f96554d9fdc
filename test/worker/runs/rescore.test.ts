import { describe, expect, it } from "vitest";
import { z } from "zod";
import { promptHashOf } from "../../../api/boards/board-identity.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { partsKey, type RunParts } from "../../../api/runs/run-objects.ts";
import { controlRun, deleteRun } from "../../../api/runs/service.ts";
import { runView } from "../../../api/runs/view.ts";
import type { SampleScore, Suite } from "../../../shared/contracts/suite.ts";
import {
  anAccount,
  deliver,
  harness,
  relayDataset,
  submitRun,
  upperCasing,
} from "../support/harness.ts";
import { type RelaySample, relaySuite } from "../support/relay-suite.ts";

const owner = anAccount("acme");

const optionsSchema = z.strictObject({
  points: z.number().max(1).default(1),
  temperature: z.number().default(0),
  greeting: z.string().default("hello"),
  repeats: z.int().default(1),
  structuredOutput: z.enum(["none", "json"]).default("none"),
  digits: z.int().default(3),
});
type Options = z.infer<typeof optionsSchema>;

/** The relay suite with options that change scores, requests, or neither. */
const graded = (version: string): Suite => ({
  ...relaySuite,
  version,
  optionsSchema,
  plan: (heads, { repeats }: Options) =>
    heads.flatMap((_, i) =>
      Array.from({ length: repeats }, (_, repeat) => ({ samples: [i], repeat })),
    ),
  next(task, replies) {
    const step = relaySuite.next(task as never, replies);
    const { temperature } = task.options as Options;
    return step.kind === "done" ? step : { ...step, request: { ...step.request, temperature } };
  },
  score(sample: RelaySample, answer, options: Options): SampleScore {
    const score = relaySuite.score(sample, answer, {});
    return { ...score, score: (score.score ?? 0) * options.points };
  },
  scoringOptions: ({ points }: Options) => ({ points }),
  prompt: ({ greeting }: Options) => greeting,
});

const suitesOf = (suite: Suite) => ({ all: [suite], byId: () => suite });

/** A finished run under version 1, and a platform on which asking the model fails the test. */
async function finishedRun(models?: unknown, overrides: Partial<Platform> = {}, samples = 20) {
  const first = harness({ suites: suitesOf(graded("1")), ...overrides });
  const dataset = await relayDataset(first.platform, samples);
  const run = await submitRun(first.platform, dataset, {
    options: { concurrency: 10 },
    ...(models === undefined ? {} : { models }),
  });
  await first.deliverAll();
  const ask: AskModel = async () => expect.unreachable("rescoring asked the model");
  return { ...harness({ ...overrides, suites: suitesOf(graded("1")), ask }), run, dataset };
}

let settled: ReturnType<typeof finishedRun> | undefined;
/** One run for all tests that do not change it, with a copy of the platform for each. */
async function settledRun(): Promise<{ platform: Platform; run: string }> {
  settled ??= finishedRun();
  const { platform, run } = await settled;
  return { platform: { ...platform }, run };
}

/** Rescores a run and returns the finished new run. */
async function rescored(
  made: Awaited<ReturnType<typeof finishedRun>>,
  options: Record<string, unknown> = {},
) {
  const submission = await rescoreRun(made.platform, owner, made.run, { options });
  if (!submission.ok) throw new Error(JSON.stringify(submission.error));
  const id = (await made.platform.runs.submission(submission.value))?.runs[0]?.id ?? "";
  await made.deliverAll();
  const child = await made.platform.runs.get(id);
  return child ?? expect.unreachable("there is no new run");
}

describe("rescoreRun()", () => {
  it("scores the stored answers with other options, as a new run on another board", async () => {
    const rig = await finishedRun();
    const child = await rescored(rig, { points: 0.5 });
    const parent = await rig.platform.runs.get(rig.run);
    expect(child).toMatchObject({
      status: "finished",
      done: 20,
      failed: 0,
      parentId: rig.run,
      owner: "acme",
      inputTokens: 200,
      unmetered: 0,
      endpointOrigin: null,
      hadSecrets: false,
      options: { points: 0.5, greeting: "hello" },
    });
    expect(child.metrics?.["passed"]?.value).toBe(0.5);
    expect(parent?.metrics?.["passed"]?.value).toBe(1);
    expect(child.boardId).not.toBe(parent?.boardId);
    const board = await rig.platform.boards.get(child.boardId ?? "");
    expect(board).toMatchObject({ scoringVersion: child.scoringVersion, isDefault: false });
    expect(board?.entries.map(({ run }) => run)).toEqual([child.id]);
  });

  it("scores with the current version of the suite", async () => {
    const { platform, mail, deliverAll, run, dataset } = await finishedRun();
    // Otherwise the new board would wait for the re-publication of the old one, which is not tested here.
    const republications = { ...platform.republications, isAwaited: async () => false };
    const later = { ...platform, republications, suites: suitesOf(graded("2")) };
    const made = { platform: later, mail, run, dataset, deliverAll };
    const submission = await rescoreRun(later, owner, run, { options: {} });
    const id = submission.ok ? submission.value : "";
    while (mail.evaluate.length > 0) await deliver(later, "evaluate", mail.evaluate.shift());
    while (mail.finish.length > 0) await deliver(later, "finish", mail.finish.shift());
    const child = (await made.platform.runs.submission(id))?.runs[0];
    expect(child).toMatchObject({ status: "finished", suiteVersion: "2" });
    expect(await platform.boards.find("relay", dataset, null)).toMatchObject({
      id: child?.boardId,
    });
  });

  it("keeps the provenance, waits and times of the answers", async () => {
    const rig = await finishedRun();
    const child = await rescored(rig, { points: 0.5 });
    const timing = async (id: string) =>
      (await rig.platform.runs.samples(id, -1, 100)).map(
        ({ runId: _, object: __, score: ___, ...row }) => row,
      );
    expect(await timing(child.id)).toEqual(await timing(rig.run));
    const parent = { id: rig.run, retries: [] };
    const [before, after] = await Promise.all(
      [parent, child].map((run) => rig.platform.objects.get<RunParts>(partsKey(run))),
    );
    expect(after?.timeline).not.toBeNull();
    expect(after?.timeline).toEqual(before?.timeline);
    const view = runView(child, rig.platform.now());
    expect(view).toMatchObject({
      parent: rig.run,
      provenance: { kind: "called", endpointHost: "127.0.0.1:8790" },
    });
  });

  it("keeps the provenance and declared prompt of self-reported answers", async () => {
    const answers = Array.from({ length: 20 }, (_, i) => ({
      id: `s${i}`,
      output: `AGAIN: WORD ${i}`,
    }));
    const promptHash = promptHashOf(graded("1"), optionsSchema.parse({}));
    const rig = await finishedRun([{ name: "Mine", slug: "acme/mine", answers, promptHash }]);
    const child = await rescored(rig, { points: 0.5 });
    expect(child.metrics?.["passed"]?.value).toBe(0.5);
    expect(runView(child, 0)).toMatchObject({ promptHash, provenance: { kind: "self-reported" } });
    const parts = await rig.platform.objects.get<RunParts>(partsKey(child));
    expect(parts).toMatchObject({ timeline: null });
    expect((await rig.platform.boards.get(child.boardId ?? ""))?.promptHash).toBe(promptHash);
  });

  it("reads each stored object fewer than three times on average", async () => {
    const rig = await finishedRun(undefined, {}, 200);
    const { get } = rig.platform.objects;
    const read: string[] = [];
    rig.platform.objects.get = (key: string) => {
      if (key.startsWith(`runs/${rig.run}/`)) read.push(key);
      return get(key);
    };
    await rescored(rig, { points: 0.5 });
    expect(new Set(read).size).toBeGreaterThan(1);
    expect(read.length).toBeLessThan(3 * new Set(read).size);
  });

  it("makes a run that outlives its parent and can be rescored itself", async () => {
    const rig = await finishedRun();
    const child = await rescored(rig, { points: 0.5 });
    await deleteRun(rig.platform, owner, rig.run);
    await cleanUp(rig.platform);
    expect(await rig.platform.runs.get(rig.run)).toBeNull();
    const grandchild = await rescored({ ...rig, run: child.id }, { points: 0.25 });
    expect(grandchild.metrics?.["passed"]?.value).toBe(0.25);
  });

  it("makes a run that finishes although its parent is deleted meanwhile", async () => {
    const rig = await finishedRun();
    const submission = await rescoreRun(rig.platform, owner, rig.run, {
      options: { points: 0.5 },
    });
    await deleteRun(rig.platform, owner, rig.run);
    await cleanUp(rig.platform);
    await rig.deliverAll();
    const stored = await rig.platform.runs.submission(submission.ok ? submission.value : "");
    expect(stored?.runs[0]).toMatchObject({ status: "finished", failed: 0 });
    await cleanUp(rig.platform);
    expect(await rig.platform.runs.get(rig.run)).toBeNull();
  });

  it("loses no sample if the parent is deleted while the new run is paused", async () => {
    const rig = await finishedRun();
    const submission = await rescoreRun(rig.platform, owner, rig.run, {
      options: { points: 0.5 },
    });
    const stored = await rig.platform.runs.submission(submission.ok ? submission.value : "");
    const child = stored?.runs[0]?.id ?? "";
    await controlRun(rig.platform, owner, child, "pause");
    await deleteRun(rig.platform, owner, rig.run);
    await cleanUp(rig.platform);
    await controlRun(rig.platform, owner, child, "resume");
    await rig.deliverAll();
    expect(await rig.platform.runs.get(child)).toMatchObject({ status: "finished", failed: 0 });
    await cleanUp(rig.platform);
    expect(await rig.platform.runs.get(rig.run)).toBeNull();
  });

  it("loses no sample if the parent's raw answers expire while the new run is paused", async () => {
    let clock = Date.now();
    const settings = { ...harness().platform.settings, rawRetentionDays: 1 };
    const rig = await finishedRun(undefined, { now: () => clock, settings });
    const submission = await rescoreRun(rig.platform, owner, rig.run, {
      options: { points: 0.5 },
    });
    const stored = await rig.platform.runs.submission(submission.ok ? submission.value : "");
    const child = stored?.runs[0]?.id ?? "";
    await controlRun(rig.platform, owner, child, "pause");
    clock += 2 * 86_400_000;
    // Each cron run cleans up a few runs, and runs of other tests are older.
    for (let cronRuns = 0; cronRuns < 20; cronRuns++) await cleanUp(rig.platform);
    await controlRun(rig.platform, owner, child, "resume");
    await rig.deliverAll();
    expect(await rig.platform.runs.get(child)).toMatchObject({ status: "finished", failed: 0 });
  });

  it("sets the parent to the grandparent once the parent is deleted", async () => {
    const rig = await finishedRun();
    const child = await rescored(rig, { points: 0.5 });
    const grandchild = await rescored({ ...rig, run: child.id }, { points: 0.25 });
    await deleteRun(rig.platform, owner, child.id);
    await cleanUp(rig.platform);
    expect(await rig.platform.runs.get(grandchild.id)).toMatchObject({ parentId: rig.run });
  });

  it("reports all invalid options at once", async () => {
    const { platform, run } = await settledRun();
    const options = { temperature: 1, bogus: 2, concurrency: 50, points: 3 };
    const refused = await rescoreRun(platform, owner, run, { options });
    const errors =
      refused.ok || refused.error.type !== "invalid-request" ? [] : refused.error.errors;
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      "/options/bogus",
      "/options/concurrency",
      "/options/points",
      "/options/temperature",
    ]);
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ["the prompt", { greeting: "hi" }, "/options/greeting", '"hi" instead of "hello"'],
    ["a request", { temperature: 1 }, "/options/temperature", "1 instead of 0"],
    ["the plan", { repeats: 2 }, "/options/repeats", "2 instead of 1"],
    ["the mode", { structuredOutput: "json" }, "/options/structuredOutput", '"json" instead'],
    ["the subset", { sample: { n: 3 } }, "/options/sample", "instead of nothing"],
    ["the subset to none", { sample: { n: -1 } }, "/options/sample", '{"n":-1} instead of nothing'],
    ["the subset to nonsense", { sample: "x" }, "/options/sample", '"x" instead of nothing'],
    ["the concurrency", { concurrency: 50 }, "/options/concurrency", "50 instead of 10"],
  ])("refuses an option that changes %s", async (_case, change, pointer, detail) => {
    const { platform, run } = await settledRun();
    const options = { points: 0.5, ...change };
    const refused = await rescoreRun(platform, owner, run, { options });
    expect(refused).toMatchObject({ ok: false, error: { type: "invalid-request" } });
    const errors =
      refused.ok || refused.error.type !== "invalid-request" ? [] : refused.error.errors;
    expect(errors.map((error) => error.pointer)).toEqual([pointer]);
    expect(errors[0]?.detail).toContain(detail);
    expect(errors[0]?.detail).toContain("rescoring sends none");
  });

  it("accepts options that equal the run's", async () => {
    const rig = await finishedRun();
    const same = { concurrency: 10, greeting: "hello", temperature: 0 };
    expect((await rescored(rig, { ...same, points: 0.5 })).status).toBe("finished");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["unknown", { pionts: 1 }, "/options/pionts"],
    ["out of range", { points: 2 }, "/options/points"],
    ["not valid Unicode", { greeting: "\ud800" }, "/options/greeting"],
  ])("refuses an option that is %s", async (_case, options, pointer) => {
    const { platform, run } = await settledRun();
    const refused = await rescoreRun(platform, owner, run, { options });
    expect(refused).toMatchObject({ error: { errors: [{ pointer }] } });
  });

  it.each<[string, Record<string, unknown>]>([
    ["nothing changed", {}],
    ["only the display changed", { digits: 5 }],
  ])("refuses if %s", async (_case, options) => {
    const { platform, run } = await settledRun();
    const refused = await rescoreRun(platform, owner, run, { options });
    const detail = expect.stringContaining(
      "already been scored with suite version 1 and these options",
    );
    expect(refused).toEqual({ ok: false, error: { type: "conflict", detail } });
  });

  it("refuses samples that the suite no longer accepts", async () => {
    const { platform, run } = await settledRun();
    const strict: Suite = { ...graded("2"), checkSample: () => ({ ok: false, error: "no id" }) };
    const refused = await rescoreRun({ ...platform, suites: suitesOf(strict) }, owner, run, {
      options: {},
    });
    const detail = expect.stringContaining("does not accept the samples of run");
    expect(refused).toEqual({ ok: false, error: { type: "conflict", detail } });
  });

  it("refuses a run whose suite now groups samples differently", async () => {
    const { platform, run } = await settledRun();
    const plan: Suite["plan"] = (heads) => [{ samples: heads.map((_, i) => i), repeat: 0 }];
    const grouping = suitesOf({ ...graded("2"), plan });
    const refused = await rescoreRun({ ...platform, suites: grouping }, owner, run, {
      options: {},
    });
    const detail = expect.stringContaining("groups samples differently");
    expect(refused).toEqual({ ok: false, error: { type: "conflict", detail } });
  });

  it("prevents a retry of the parent meanwhile", async () => {
    const error = { class: "timeout" as const, message: "late" };
    const ask: AskModel = async (...request) => {
      const reply = await upperCasing(...request);
      const isLost = request[1].messages.at(-1)?.content === "word 7";
      return isLost && reply.kind === "answer"
        ? { kind: "answer", answer: { ...reply.answer, error } }
        : reply;
    };
    const { platform, deliverAll } = harness({ suites: suitesOf(graded("1")), ask });
    const run = await submitRun(platform, await relayDataset(platform, 10));
    await deliverAll();
    const created = await rescoreRun(platform, owner, run, { options: { points: 0.5 } });
    const child =
      (await platform.runs.submission(created.ok ? created.value : ""))?.runs[0]?.id ?? "";
    const key = { endpoint: { apiKey: "k" } };
    for (const action of ["pause", "resume"] as const) {
      await controlRun(platform, owner, child, action);
      expect(await retryRun(platform, owner, run, key), action).toMatchObject({
        error: {
          type: "conflict",
          detail: expect.stringContaining("retried or rescored right now"),
        },
      });
    }
    await deliverAll();
    expect((await retryRun(platform, owner, run, key)).ok).toBe(true);
  });
});
