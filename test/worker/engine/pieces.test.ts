import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { finalizeRun } from "../../../api/engine/finalize.ts";
import type { FinishMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { runFolder } from "../../../api/runs/run-objects.ts";
import {
  anAccount,
  deliver,
  harness,
  relayDataset,
  submitRun,
  upperCasing,
} from "../support/harness.ts";

const SAMPLES = 20;
const LIMITS = { rows: 7, objects: 800, characters: 1e6 };
const LOST_MS = 121_000;

type Finalize = Extract<FinishMessage, { kind: "finalize" }>;

/** A run with all samples, two of them failed, and a clock that only `wait` advances. */
async function complete(overrides: Partial<Platform> = {}) {
  let clock = Date.parse("2026-11-24T10:00:00Z");
  const rig = harness({
    now: () => clock,
    ask: async (...asked) => {
      const reply = await upperCasing(...asked);
      const isBad = /5$/.test(asked[1].messages.at(-1)?.content ?? "");
      if (reply.kind !== "answer" || !isBad) return reply;
      const error = { class: "server_error" as const, message: "500" };
      return { kind: "answer", answer: { ...reply.answer, output: null, error } };
    },
    ...overrides,
  });
  const { platform, mail } = rig;
  const run = await submitRun(platform, await relayDataset(platform, SAMPLES), {
    options: { concurrency: 10 },
  });
  while (mail.evaluate.length > 0) await deliver(platform, "evaluate", mail.evaluate.shift());
  mail.finish.length = 0;
  const wait = (ms: number) => {
    clock += ms;
  };
  const finalize = (piece?: string, target = platform, limits = LIMITS) =>
    finalizeRun(target, run, piece, limits);
  const messages = () =>
    mail.finish.splice(0).filter((one): one is Finalize => one.kind === "finalize");
  /** Delivers waiting messages, again after a failure; without any, acts like the cron job. */
  const finish = async (target = platform) => {
    for (let tries = 0; (await platform.runs.get(run))?.status === "running"; tries++) {
      expect(tries).toBeLessThan(100);
      const waiting = messages();
      if (waiting.length === 0) wait(LOST_MS);
      for (const piece of waiting.length === 0 ? [undefined] : waiting.map((one) => one.piece))
        await finalize(piece, target).catch(() => finalize(piece, target).catch(() => {}));
    }
    for (const { piece } of messages()) await finalize(piece, target);
  };
  return { ...rig, run, wait, finalize, messages, finish };
}

/** Everything that finalizeRun() writes. */
async function left({ platform }: { platform: Platform }, run: string) {
  const { RESULTS } = env as unknown as { RESULTS: R2Bucket };
  const { objects } = await RESULTS.list({ prefix: runFolder(run) });
  const keys = objects.map(({ key }) => key).filter((key) => !/answers|statement\.json/.test(key));
  const texts = await Promise.all(keys.map((key) => platform.objects.getText(key)));
  const record = await platform.runs.get(run);
  const { status, metrics, model, done } = record ?? {};
  return { keys, texts, record: { status, metrics, served: model?.served, done } };
}

/** The same for a run that is summarised in one piece but not ended. */
async function atOnce(made: Awaited<ReturnType<typeof complete>>) {
  const { platform, run, finalize } = made;
  const isolated = { ...platform, runs: { ...platform.runs, finish: async () => false } };
  await finalize(undefined, isolated, { ...LIMITS, rows: SAMPLES });
  return left(made, run);
}

async function expectSame(made: Awaited<ReturnType<typeof complete>>, whole: Awaited<Left>) {
  const found = await left(made, made.run);
  expect(found.keys).toEqual(whole.keys);
  expect(found.texts).toEqual(whole.texts);
  expect(found.record).toMatchObject({ status: "finished", done: SAMPLES });
  expect(found.record.metrics?.["passed"]).toMatchObject({ value: 0.9, n: SAMPLES });
}
type Left = ReturnType<typeof left>;

/** Fails at step `at`: before its effect if `at` is even, otherwise after it. */
function crashingAt(platform: Platform, at: number) {
  let steps = 0;
  const crashing =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args) => {
      const isNow = steps++ === at;
      if (isNow && at % 2 === 0) throw new Error("died before");
      const result = await call(...args);
      if (isNow) throw new Error("died after");
      return result;
    };
  const { objects, runs, queues } = platform;
  const { put, putText, remove } = objects;
  const storing = { put: crashing(put), putText: crashing(putText), remove: crashing(remove) };
  return {
    hasCrashed: () => steps > at,
    platform: {
      ...platform,
      objects: { ...objects, ...storing },
      runs: { ...runs, finish: crashing(runs.finish) },
      queues: { ...queues, finish: crashing(queues.finish) },
    },
  };
}

describe("finalizeRun()", () => {
  it("summarises a long run in pieces, with the same bytes as at once, and deletes the pieces", async () => {
    const rig = await complete();
    const whole = await atOnce(rig);
    await rig.finalize();
    const sizes: number[] = [];
    for (let waiting = rig.messages(); waiting.length > 0; waiting = rig.messages()) {
      expect(waiting).toHaveLength(1);
      const kept = await rig.platform.objects.keys(`${runFolder(rig.run)}pieces/`);
      expect(kept).toEqual([waiting[0]?.piece]);
      sizes.push(((await rig.platform.objects.get<{ after: number }>(kept[0]!))?.after ?? 0) + 1);
      await rig.finalize(waiting[0]?.piece);
    }
    expect(sizes).toEqual([7, 14]);
    await expectSame(rig, whole);
  });

  it("ends a piece early if the answers are long or in many objects", async () => {
    for (const limits of [
      { ...LIMITS, rows: 100, objects: 1 },
      { ...LIMITS, rows: 100, characters: 100 },
    ]) {
      const rig = await complete();
      const whole = await atOnce(rig);
      await rig.finalize(undefined, rig.platform, limits);
      expect(rig.messages()).toEqual([expect.objectContaining({ piece: expect.any(String) })]);
      rig.wait(LOST_MS);
      await rig.finish();
      await expectSame(rig, whole);
    }
  });

  it("gives the same result if messages arrive twice or late", async () => {
    const rig = await complete();
    const whole = await atOnce(rig);
    await rig.finalize();
    const all: (string | undefined)[] = [undefined];
    for (let waiting = rig.messages(); waiting.length > 0; waiting = rig.messages()) {
      for (const { piece } of waiting) {
        all.push(piece);
        await Promise.all([rig.finalize(piece), rig.finalize(piece)]);
        for (const late of all) await rig.finalize(late);
      }
    }
    await expectSame(rig, whole);
    for (const late of all.toReversed()) await rig.finalize(late);
    await expectSame(rig, whole);
  });

  it("gives the same result if two start concurrently", async () => {
    const rig = await complete();
    const whole = await atOnce(rig);
    await Promise.all([rig.finalize(), rig.finalize()]);
    await rig.finalize();
    await rig.finish();
    await expectSame(rig, whole);
  });

  it("continues after the last piece once its message counts as lost, and not before", async () => {
    const rig = await complete();
    const whole = await atOnce(rig);
    await rig.finalize();
    const [lost] = rig.messages();
    await rig.finalize();
    expect(rig.messages()).toEqual([]);
    rig.wait(LOST_MS);
    const froms: number[] = [];
    const { samples } = rig.platform.runs;
    const noting = { ...rig.platform, runs: { ...rig.platform.runs } };
    noting.runs.samples = (id, after, limit) => {
      froms.push(after);
      return samples(id, after, limit);
    };
    await rig.finalize(undefined, noting);
    expect(froms).toEqual([6]);
    await rig.finalize(lost?.piece);
    await rig.finish();
    await expectSame(rig, whole);
  });

  it("gives the same result after a crash between any two steps", async () => {
    let crashes = 0;
    for (let isOver = false; !isOver; crashes++) {
      const rig = await complete();
      const whole = await atOnce(rig);
      const { platform, hasCrashed } = crashingAt(rig.platform, crashes);
      await rig.finish(platform);
      await expectSame(rig, whole);
      isOver = !hasCrashed();
    }
    expect(crashes).toBeGreaterThan(10);
  });

  it("starts again if another version of the code wrote the last piece", async () => {
    const rig = await complete();
    const whole = await atOnce(rig);
    await rig.finalize();
    const [message] = rig.messages();
    const key = message?.piece ?? "";
    const written = await rig.platform.objects.get<{ sums: object }>(key);
    await rig.platform.objects.put(key, { ...written, sums: { state: { scores: "others" } } });
    const { settings } = rig.platform;
    const upgraded = { ...rig.platform, settings: { ...settings, codeRevision: "a new one" } };
    await rig.finalize(key, upgraded);
    await rig.finish(upgraded);
    await expectSame(rig, whole);
  });

  it("deletes the pieces of a run that is cancelled between two of them", async () => {
    const rig = await complete();
    await rig.finalize();
    const [message] = rig.messages();
    await rig.platform.runs.cancel(rig.run, rig.platform.now());
    await rig.finalize(message?.piece);
    expect(rig.messages()).toEqual([]);
    const { keys, record } = await left(rig, rig.run);
    expect([keys, record.status]).toEqual([[], "cancelled"]);
  });

  it("does not mix answers of a retried run with earlier ones", async () => {
    const rig = await complete();
    await rig.finalize();
    const [old] = rig.messages();
    await rig.platform.runs.fail(rig.run, "broken", rig.platform.now());
    const retried = { ...rig.platform, ask: upperCasing };
    expect(
      await retryRun(retried, anAccount("acme"), rig.run, {
        endpoint: { apiKey: "sk-second" },
      }),
    ).toMatchObject({ ok: true });
    const { evaluate } = rig.mail;
    while (evaluate.length > 0) await deliver(retried, "evaluate", evaluate.shift());
    rig.messages();
    await rig.finalize();
    await rig.finalize(old?.piece);
    await rig.finish();
    const { keys, record } = await left(rig, rig.run);
    expect(keys.filter((key) => key.includes("/pieces/"))).toEqual([]);
    expect(record.metrics?.["passed"]).toMatchObject({ value: 1, n: SAMPLES });
  });

  it("fails a run whose message is dead, and deletes its pieces", async () => {
    const rig = await complete();
    await rig.finalize();
    const [message] = rig.messages();
    const { settings } = rig.platform;
    const dead = {
      ...rig.platform,
      settings: { ...settings, deadLetterQueue: "assay-dead-local" },
    };
    await deliver(dead, "dead", message);
    const { keys, record } = await left(rig, rig.run);
    expect([keys, record.status]).toEqual([[], "failed"]);
  });
});
