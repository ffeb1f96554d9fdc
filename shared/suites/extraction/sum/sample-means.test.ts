import { expect, test } from "vitest";
import { addEach, eachSum, noSums } from "../../../stats/compensated-sum.ts";
import { aSyntheticSample } from "../__fixtures__/synthetic.ts";
import { headlineColumns, headlineValues, rowNumbers } from "./columns.ts";
import { headlineFigures } from "./figures.ts";
import { addMeans, headlineMeans, noMeanSums, sampleMeans } from "./sample-means.ts";
import { addAnswer, noAnswers } from "./state.ts";

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
