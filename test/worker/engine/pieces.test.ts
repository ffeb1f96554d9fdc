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
  const made = harness({
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
  const { platform, mail } = made;
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
  return { ...made, run, wait, finalize, messages, finish };
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
    const made = await complete();
    const whole = await atOnce(made);
    await made.finalize();
    const sizes: number[] = [];
    for (let waiting = made.messages(); waiting.length > 0; waiting = made.messages()) {
      expect(waiting).toHaveLength(1);
      const kept = await made.platform.objects.keys(`${runFolder(made.run)}pieces/`);
      expect(kept).toEqual([waiting[0]?.piece]);
      sizes.push(((await made.platform.objects.get<{ after: number }>(kept[0]!))?.after ?? 0) + 1);
      await made.finalize(waiting[0]?.piece);
    }
    expect(sizes).toEqual([7, 14]);
    await expectSame(made, whole);
  });

  it("ends a piece early if the answers are long or in many objects", async () => {
    for (const limits of [
      { ...LIMITS, rows: 100, objects: 1 },
      { ...LIMITS, rows: 100, characters: 100 },
    ]) {
      const made = await complete();
      const whole = await atOnce(made);
      await made.finalize(undefined, made.platform, limits);
      expect(made.messages()).toEqual([expect.objectContaining({ piece: expect.any(String) })]);
      made.wait(LOST_MS);
      await made.finish();
      await expectSame(made, whole);
    }
  });

  it("gives the same result if messages arrive twice or late", async () => {
    const made = await complete();
    const whole = await atOnce(made);
    await made.finalize();
    const all: (string | undefined)[] = [undefined];
    for (let waiting = made.messages(); waiting.length > 0; waiting = made.messages()) {
      for (const { piece } of waiting) {
        all.push(piece);
        await Promise.all([made.finalize(piece), made.finalize(piece)]);
        for (const late of all) await made.finalize(late);
      }
    }
    await expectSame(made, whole);
    for (const late of all.toReversed()) await made.finalize(late);
    await expectSame(made, whole);
  });

  it("gives the same result if two start concurrently", async () => {
    const made = await complete();
    const whole = await atOnce(made);
    await Promise.all([made.finalize(), made.finalize()]);
    await made.finalize();
    await made.finish();
    await expectSame(made, whole);
  });

  it("continues after the last piece once its message counts as lost, and not before", async () => {
    const made = await complete();
    const whole = await atOnce(made);
    await made.finalize();
    const [lost] = made.messages();
    await made.finalize();
    expect(made.messages()).toEqual([]);
    made.wait(LOST_MS);
    const froms: number[] = [];
    const { samples } = made.platform.runs;
    const noting = { ...made.platform, runs: { ...made.platform.runs } };
    noting.runs.samples = (id, after, limit) => {
      froms.push(after);
      return samples(id, after, limit);
    };
    await made.finalize(undefined, noting);
    expect(froms).toEqual([6]);
    await made.finalize(lost?.piece);
    await made.finish();
    await expectSame(made, whole);
  });

  it("gives the same result after a crash between any two steps", async () => {
    let crashes = 0;
    for (let isOver = false; !isOver; crashes++) {
      const made = await complete();
      const whole = await atOnce(made);
      const { platform, hasCrashed } = crashingAt(made.platform, crashes);
      await made.finish(platform);
      await expectSame(made, whole);
      isOver = !hasCrashed();
    }
    expect(crashes).toBeGreaterThan(10);
  });

  it("starts again if another version of the code wrote the last piece", async () => {
    const made = await complete();
    const whole = await atOnce(made);
    await made.finalize();
    const [message] = made.messages();
    const key = message?.piece ?? "";
    const written = await made.platform.objects.get<{ sums: object }>(key);
    await made.platform.objects.put(key, { ...written, sums: { state: { scores: "others" } } });
    const { settings } = made.platform;
    const upgraded = { ...made.platform, settings: { ...settings, codeRevision: "a new one" } };
    await made.finalize(key, upgraded);
    await made.finish(upgraded);
    await expectSame(made, whole);
  });

  it("deletes the pieces of a run that is cancelled between two of them", async () => {
    const made = await complete();
    await made.finalize();
    const [message] = made.messages();
    await made.platform.runs.cancel(made.run, made.platform.now());
    await made.finalize(message?.piece);
    expect(made.messages()).toEqual([]);
    const { keys, record } = await left(made, made.run);
    expect([keys, record.status]).toEqual([[], "cancelled"]);
  });

  it("does not mix answers of a retried run with earlier ones", async () => {
    const made = await complete();
    await made.finalize();
    const [old] = made.messages();
    await made.platform.runs.fail(made.run, "broken", made.platform.now());
    const retried = { ...made.platform, ask: upperCasing };
    expect(
      await retryRun(retried, anAccount("acme"), made.run, {
        endpoint: { apiKey: "sk-second" },
      }),
    ).toMatchObject({ ok: true });
    const { evaluate } = made.mail;
    while (evaluate.length > 0) await deliver(retried, "evaluate", evaluate.shift());
    made.messages();
    await made.finalize();
    await made.finalize(old?.piece);
    await made.finish();
    const { keys, record } = await left(made, made.run);
    expect(keys.filter((key) => key.includes("/pieces/"))).toEqual([]);
    expect(record.metrics?.["passed"]).toMatchObject({ value: 1, n: SAMPLES });
  });

  it("fails a run whose message is dead, and deletes its pieces", async () => {
    const made = await complete();
    await made.finalize();
    const [message] = made.messages();
    const { settings } = made.platform;
    const dead = {
      ...made.platform,
      settings: { ...settings, deadLetterQueue: "assay-dead-local" },
    };
    await deliver(dead, "dead", message);
    const { keys, record } = await left(made, made.run);
    expect([keys, record.status]).toEqual([[], "failed"]);
  });
});
