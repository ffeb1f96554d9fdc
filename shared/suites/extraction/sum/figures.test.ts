import { expect, test } from "vitest";
import { dozen } from "../__fixtures__/dozen.ts";
import { headlineColumns, headlineValues, rowNumbers } from "./columns.ts";
import { headlineFigures } from "./figures.ts";
import { scoreRow } from "./score-row.ts";

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
