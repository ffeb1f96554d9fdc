import { expect, test } from "vitest";
import { addEach, eachSum, noSums } from "../../../stats/sums/compensated-sum.ts";
import { dozen } from "../__fixtures__/dozen.ts";
import { aSyntheticSample } from "../__fixtures__/synthetic.ts";
import { headlineColumns, headlineValues, rowNumbers, scoreRow } from "./columns.ts";
import { addMeans, headlineFigures, headlineMeans, noMeanSums, sampleMeans } from "./figures.ts";
import { addAnswer, noAnswers } from "./state.ts";

const sumsOf = (seqs: readonly number[]) => {
  const rows = seqs.map((seq) => headlineValues(rowNumbers(scoreRow(dozen[seq]!))));
  return Float64Array.from(headlineColumns, (_, k) => rows.reduce((sum, row) => sum + row[k]!, 0));
};

test("headlineFigures without samples are null", () => {
  const sums = sumsOf([]);
  expect(Object.values(headlineFigures(sums)).every((figure) => figure === null)).toBe(true);
});

test("headlineFigures of valid outputs are null where none is valid", () => {
  const figures = headlineFigures(sumsOf([9]));
  expect(figures["exactMatchOfValid"]).toBeNull();
  expect(figures["hallucinationRateOfValid"]).toBeNull();
  expect(figures["hallucinationRate"]).toBe(1);
});

test("headlineMeans are what the headline figures say whose interval they share", () => {
  const samples = Array.from({ length: 200 }, (_, seq) => aSyntheticSample(seq));
  const { rows } = samples.reduce(addAnswer, noAnswers());
  const [means, sums] = [noMeanSums(), noSums(headlineColumns.length)];
  for (const row of rows) {
    addMeans(means, rowNumbers(row));
    addEach(sums, headlineValues(rowNumbers(row)));
  }
  const figures = headlineFigures(Float64Array.from(eachSum(sums)));
  const of = sampleMeans(means);
  for (const [id, same] of Object.entries(headlineMeans)) {
    expect(of[id], id).toBeGreaterThan(0);
    expect(of[id], id).toBeLessThan(1);
    expect(of[id], id).toBeCloseTo(figures[same]!, 12);
  }
});
