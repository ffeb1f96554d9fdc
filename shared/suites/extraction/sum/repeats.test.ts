import { expect, test } from "vitest";
import { answered } from "../__fixtures__/answered.ts";
import { defaultOptions } from "../options.ts";
import { consistencyOf, repeatedAnswer } from "./repeats.ts";
import { addAnswer, noAnswers } from "./state.ts";
import { summarize } from "./summarize.ts";

const repeat = (outputHash: string | null, fieldValues: Record<string, string | number> = {}) =>
  repeatedAnswer({ outputHash, fieldValues })!;

// Outputs a, a, b: 2 of 3 are equal. Of the pairs 12, 13 and 23, `name` agrees in one and `age` in none, because the
// third answer lacks it. Ages 30 and 34 have a standard deviation of √8.
const three = [
  repeat("a", { name: '"Ada"', age: 30 }),
  repeat("a", { name: '"Ada"', age: 34 }),
  repeat("b", { name: '"Ida"' }),
];

test("consistencyOf() compares outputs, fields and numbers", () => {
  expect(consistencyOf([three])).toEqual({
    samples: 1,
    modalShare: 2 / 3,
    fieldAgreement: (1 / 3 + 0) / 2,
    fields: 2,
    valueDeviation: Math.sqrt(8),
    numericFields: 1,
  });
});

test("consistencyOf() averages over samples, and ignores samples with one answer", () => {
  const same = [repeat("x", { n: 1 }), repeat("x", { n: 1 })];
  expect(consistencyOf([three, same, [repeat("y")]])).toMatchObject({
    samples: 2,
    modalShare: (2 / 3 + 1) / 2,
    fieldAgreement: expect.closeTo((1 / 3 + 0 + 1) / 3, 12),
    fields: 3,
    valueDeviation: Math.sqrt(8) / 2,
    numericFields: 2,
  });
});

test("consistencyOf() treats an unparsable output as different from all others", () => {
  expect(consistencyOf([[repeat(null), repeat(null)]]).modalShare).toBe(0);
  expect(consistencyOf([[repeat(null), repeat("a"), repeat("b")]]).modalShare).toBe(1 / 3);
});

test("consistencyOf() returns null figures without repeats", () => {
  const nothing = { modalShare: null, fieldAgreement: null, valueDeviation: null };
  expect(consistencyOf([])).toMatchObject({ samples: 0, ...nothing });
  expect(repeatedAnswer({})).toBeNull();
});

test("summarize() computes consistency for a run with repeats, and averages each sample first", () => {
  const options = { ...defaultOptions, repeats: 2 };
  const state = [
    answered(0, [], { detail: { eqs: 1, outputHash: "a", fieldValues: { n: 1 } } }),
    answered(1, [], { detail: { eqs: 0, outputHash: "b", fieldValues: { n: 1 } } }),
  ]
    .map((one) => ({ ...one, id: "s" }))
    .reduce(addAnswer, noAnswers());
  const { metrics } = summarize(state, { runId: "r", options, prices: null, wallMs: null });
  expect(metrics["eqs"]).toMatchObject({ value: 0.5, n: 1 });
  expect(metrics["outputConsistency"]).toMatchObject({ value: 0.5, n: 1, coverage: 1 });
  expect(metrics["fieldConsistency"]).toMatchObject({ value: 1 });
  expect(metrics["valueDeviation"]).toMatchObject({ value: 0 });
});
