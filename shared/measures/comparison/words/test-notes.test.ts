import { expect, it } from "vitest";
import type { MetricComparison } from "../../../contracts/boards/comparison.ts";
import { testNotes } from "./test-notes.ts";

type Pair = MetricComparison["pairs"][number];

const notesOf = (pair: Partial<Pair>, count = 100) => {
  const whole = {
    a: "x",
    b: "y",
    p: 0.2,
    pHolm: 0.2,
    wilcoxonPHolm: 0.2,
    difference: { value: 0.1, interval: null },
    ...pair,
  } as Pair;
  return testNotes({ pairs: [whole], units: { kind: "samples", count } }, (run) => `model ${run}`);
};

it("testNotes() is empty for many samples and tests that agree", () => {
  expect(notesOf({})).toEqual([]);
  expect(notesOf({ pHolm: 0.01, wilcoxonPHolm: 0.04 })).toEqual([]);
});

it("testNotes() warns of rough intervals and tests below 30 samples", () => {
  expect(notesOf({}, 29)).toEqual([
    "Below 30 samples, intervals and tests are rough. There are 29.",
  ]);
  expect(notesOf({}, 30)).toEqual([]);
});

it("testNotes() names pairs whose two tests disagree", () => {
  for (const [pHolm, wilcoxonPHolm] of [
    [0.01, 0.06],
    [0.06, 0.01],
  ]) {
    expect(notesOf({ pHolm: pHolm!, wilcoxonPHolm: wilcoxonPHolm! })[0]).toContain(
      "disagree at 0.05: model x − model y",
    );
  }
});

it("testNotes() explains a disagreement below six samples by their number, not by skew", () => {
  const [, note] = notesOf({ pHolm: 0.001, wilcoxonPHolm: 0.0625 }, 5);
  expect(note).toContain("fewer than six samples");
  expect(note).not.toContain("are skewed");
});

it("testNotes() reports an untested constant difference, but not untested equal runs", () => {
  expect(notesOf({ p: null, pHolm: null })[0]).toContain("Not tested");
  const equal = { p: null, pHolm: null, difference: { value: 0, interval: null } };
  expect(notesOf(equal)).toEqual([]);
});
