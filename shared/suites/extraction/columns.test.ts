import { expect, test } from "vitest";
import { dozen } from "./__fixtures__/dozen.ts";
import { addColumns, columnAt, columnValues, noColumnSums, rowNumbers } from "./columns.ts";
import { scoreRow } from "./score-row.ts";

test("rowNumbers() gives an invalid output no rate but omission", () => {
  expect(rowNumbers(scoreRow(dozen[9]!))).toMatchObject({
    ...{ valid: 0, noHallucination: 0, partialF1: 0, typeAccuracy: 0, omissionRate: 1 },
    ...{ parseFailed: 1, schemaFailed: 0, expected: 3, predicted: 0 },
  });
  expect(rowNumbers(scoreRow(dozen[10]!))).toMatchObject({ parseFailed: 0, schemaFailed: 1 });
});

test("columnValues() are the sums of what was added", () => {
  const sums = noColumnSums();
  for (const one of dozen) addColumns(sums, rowNumbers(scoreRow(one)));
  const values = columnValues(sums);
  expect([values[columnAt.samples], values[columnAt.partialHalves]]).toEqual([12, 27]);
  expect(values[columnAt.partialF1]).toBeCloseTo(5 * 0.8 + 1 + 3 * 0.2, 12);
});
