import { expect, test } from "vitest";
import { dozen } from "../__fixtures__/dozen.ts";
import { columns, numbersOf } from "./columns.ts";
import { groupMeans, headlineStatistics } from "./figures.ts";

const sumsOf = (seqs: readonly number[]) => {
  const rows = seqs.map((seq) => numbersOf(dozen[seq]!));
  return Float64Array.from(columns, (name) => rows.reduce((sum, row) => sum + row[name], 0));
};
const figuresOf = (seqs: readonly number[]) =>
  Object.fromEntries(
    Object.entries(headlineStatistics).map(([id, statistic]) => [id, statistic(sumsOf(seqs))]),
  );

test("figures without samples are null", () => {
  expect(Object.values(figuresOf([])).every((figure) => figure === null)).toBe(true);
  expect(Object.values(groupMeans(sumsOf([]))).every((figure) => figure === null)).toBe(true);
});

test("figures of valid outputs are null if no output is valid", () => {
  const figures = figuresOf([9]);
  expect(figures["exactMatchOfValid"]).toBeNull();
  expect(figures["hallucinationRateOfValid"]).toBeNull();
  expect(figures["hallucinationRate"]).toBe(1);
});

test("recall weighted by expected fields equals the recall over all fields", () => {
  const seqs = [0, 5, 6, 9];
  const rows = seqs.map((seq) => numbersOf(dozen[seq]!));
  const expected = rows.reduce((sum, row) => sum + row.expected, 0);
  const recalled = rows.reduce((sum, row) => sum + row.partialHalves / 2, 0);
  expect(groupMeans(sumsOf(seqs))["partialRecallWeighted"]).toBeCloseTo(recalled / expected, 12);
});
