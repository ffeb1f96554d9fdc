import fc from "fast-check";
import { expect, test } from "vitest";
import { addCounts, noSlots, type SlotCounts, slotFigures, topicCounts } from "./slot-counts.ts";

const extra = (topics: readonly string[]) =>
  new Map(topics.map((topic) => [topic, { ...noSlots(), fp: 1, extraValues: 2 }]));
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);
const plain = (topics: readonly string[], listed: readonly string[]) =>
  topicCounts(extra(topics), new Set(listed)).map(({ topic, listed, fp }) => [topic, listed, fp]);

test("topicCounts() returns listed topics first, then invented ones", () => {
  expect(plain(["x", "a"], ["a", "b"])).toEqual([
    ["a", true, 1],
    ["x", false, 1],
  ]);
});

test("topicCounts() names 20 invented topics and merges the others", () => {
  const counts = plain(["a", ...numbered(25)], ["a"]);
  expect(counts).toHaveLength(22);
  expect(counts.slice(-2)).toEqual([
    ["t19", false, 1],
    [null, false, 5],
  ]);
});

test("topicCounts() keeps every listed topic, however many", () => {
  expect(plain(numbered(100), numbered(100))).toHaveLength(100);
});

test("topicCounts() cuts long invented names and merges those that become equal", () => {
  const long = "x".repeat(100);
  expect(plain([`${long}1`, `${long}2`], [])).toEqual([[`${"x".repeat(99)}…`, false, 2]]);
});

test("slotFigures() returns only zeros for empty counts", () => {
  expect(Object.values(slotFigures(noSlots())).every((figure) => figure === 0)).toBe(true);
});

test("slotFigures() counts a slot with other values as one extra and one missed slot", () => {
  const counts = { ...noSlots(), tp: 3, exact: 1, fp: 1, fn: 2, extraValues: 4 };
  expect(slotFigures(counts)).toMatchObject({
    precision: 3 / 4,
    recall: 3 / 5,
    valuePrecision: 1 / 4,
    valueRecall: 1 / 5,
    exactMatchCoverage: 1 / 5,
    extraSlots: 1,
    extraValues: 4,
  });
});

test("slotFigures() computes token figures and BLEU-1 over the expected slots", () => {
  const tokens = { expectedTokens: 8, predictedTokens: 4, sharedTokens: 2, bleuSum: 1 };
  const figures = slotFigures({ ...noSlots(), tp: 1, fn: 3, ...tokens });
  expect(figures).toMatchObject({ tokenPrecision: 0.5, tokenRecall: 0.25, bleu1: 0.25 });
  expect(figures.tokenF1).toBeCloseTo(1 / 3, 12);
});

const nat = fc.nat({ max: 50 });
const someCounts: fc.Arbitrary<SlotCounts> = fc
  .record({ exact: nat, other: nat, fp: nat, fn: nat, spare: nat, sharedTokens: nat })
  .map(({ exact, other, fp, fn, spare, sharedTokens }) => ({
    tp: exact + other,
    exact,
    fp,
    fn,
    extraValues: fp,
    bleuSum: exact,
    sharedTokens,
    expectedTokens: sharedTokens + spare,
    predictedTokens: sharedTokens + fp,
  }));

test("slotFigures() are within 0 and 1, F1 is at most the larger of precision and recall, value F1 at most F1", () => {
  fc.assert(
    fc.property(someCounts, (counts) => {
      const { extraSlots: _, extraValues: __, ...ratios } = slotFigures(counts);
      for (const ratio of Object.values(ratios)) {
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(1 + 1e-12);
      }
      const { precision, recall, f1, valueF1 } = ratios;
      expect(f1).toBeLessThanOrEqual(Math.max(precision, recall) + 1e-12);
      expect(valueF1).toBeLessThanOrEqual(f1 + 1e-12);
    }),
  );
});

test("addCounts() is commutative and does not change its second argument", () => {
  fc.assert(
    fc.property(someCounts, someCounts, (a, b) => {
      const before = JSON.stringify(b);
      expect(addCounts({ ...a }, b)).toEqual(addCounts({ ...b }, a));
      expect(JSON.stringify(b)).toBe(before);
    }),
  );
});
