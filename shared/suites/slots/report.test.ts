import { expect, test } from "vitest";
import { type Answer, callOf } from "../../contracts/answer.ts";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { defaultOptions } from "./options.ts";
import type { SlotsSample } from "./sample.ts";
import { slots } from "./suite.ts";

const run = { runId: "run-1", options: defaultOptions, prices: null, wallMs: null };

function summaryOf(pairs: readonly (readonly [SlotsSample, Answer])[]) {
  const state = pairs.reduce((sum, [sample, answer], seq) => {
    const call = callOf(answer);
    const score = slots.score(sample, answer, defaultOptions);
    const { id, tags } = slots.sampleHead(sample);
    return slots.aggregate.add(sum, { seq, id, tags, score, call });
  }, slots.aggregate.empty());
  return slots.aggregate.finish(state, run);
}

const expected = { basic_info: { name: "Ada" }, interests: { food: "soup" } };

function easiestAndHardest(output: unknown): string | undefined {
  const summary = summaryOf([[aSample(expected), anAnswer(JSON.stringify(output))]]);
  const blocks = slots.report(summary, { options: defaultOptions }).flatMap((one) => one.blocks);
  const note = blocks.find((block) => block.title === "Easiest and hardest");
  return note?.kind === "note" ? note.text : undefined;
}

test("slotsReport() calls no topic hardest that the model made up", () => {
  const output = { basic_info: { name: "Ada" }, zodiac: { sign: "Leo" } };
  expect(easiestAndHardest(output)).toBe(
    "Easiest: basic_info (F1 1.000). Hardest: interests (F1 0.000).",
  );
});

test("summarize() adds up latencies to the digit", () => {
  // 15 latencies: 15,801 / 15 · 15 is 15801.000000000002.
  const times = Array.from({ length: 15 }, (_, i) => (i === 0 ? 1_801 : 1_000));
  const pairs = times.map(
    (latencyMs, i) => [aSample(expected, { id: `s${i}` }), anAnswer("{}", { latencyMs })] as const,
  );
  expect(summaryOf(pairs).metrics["latencyTotal"]).toMatchObject({ value: 15_801, n: 15 });
});
