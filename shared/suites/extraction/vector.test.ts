import { expect, test } from "vitest";
import { dozen } from "./__fixtures__/dozen.ts";
import { noBlocks } from "./blocks.ts";
import { addAnswer, noAnswers } from "./state.ts";
import { scoreVector } from "./vector.ts";

test("scoreVector() averages repeats by sample", () => {
  const state = [dozen[5]!, { ...dozen[9]!, id: "s5" }, dozen[11]!].reduce(addAnswer, noAnswers());
  expect(scoreVector(state)).toEqual({ s5: 0.5, s11: 0 });
});

test("scoreVector() of a run in blocks is by block, the same blocks for the same samples", () => {
  const [a, b] = [dozen, dozen.toReversed()].map((samples) =>
    scoreVector(samples.reduce(addAnswer, { ...noAnswers(), blocks: noBlocks() })),
  );
  expect(a).toEqual(b);
  expect(Object.keys(a!).every((name) => /^block \d{4}$/.test(name))).toBe(true);
});
