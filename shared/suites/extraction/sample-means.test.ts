import { expect, test } from "vitest";
import { aSyntheticSample } from "./__fixtures__/synthetic.ts";
import { addColumns, columnValues, noColumnSums, rowNumbers } from "./columns.ts";
import { headlineFigures } from "./figures.ts";
import { addMeans, headlineMeans, noMeanSums, sampleMeans } from "./sample-means.ts";
import { addAnswer, noAnswers } from "./state.ts";

test("headlineMeans are what the headline figures say whose interval they share", () => {
  const samples = Array.from({ length: 200 }, (_, seq) => aSyntheticSample(seq));
  const { rows } = samples.reduce(addAnswer, noAnswers());
  const [means, sums] = [noMeanSums(), noColumnSums()];
  for (const row of Object.values(rows)) {
    addMeans(means, rowNumbers(row));
    addColumns(sums, rowNumbers(row));
  }
  const figures = headlineFigures(Float64Array.from(columnValues(sums)));
  const of = sampleMeans(means);
  for (const [id, same] of Object.entries(headlineMeans)) {
    expect(of[id], id).toBeGreaterThan(0);
    expect(of[id], id).toBeLessThan(1);
    expect(of[id], id).toBeCloseTo(figures[same]!, 12);
  }
});
