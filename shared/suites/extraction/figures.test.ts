import { expect, test } from "vitest";
import { dozen } from "./__fixtures__/dozen.ts";
import { addColumns, columnValues, noColumnSums, rowNumbers } from "./columns.ts";
import { headlineFigures } from "./figures.ts";
import { scoreRow } from "./score-row.ts";

const sumsOf = (seqs: readonly number[]) => {
  const sums = noColumnSums();
  for (const seq of seqs) addColumns(sums, rowNumbers(scoreRow(dozen[seq]!)));
  return Float64Array.from(columnValues(sums));
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
