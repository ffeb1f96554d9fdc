import { expect, test } from "vitest";
import { dozen } from "../__fixtures__/dozen.ts";
import { columnAt, headlineValues, rowNumbers, scoreRow } from "./columns.ts";

test("rowNumbers() gives an invalid output no rate but omission", () => {
  expect(rowNumbers(scoreRow(dozen[9]!))).toMatchObject({
    valid: 0,
    noHallucination: 0,
    partialF1: 0,
    typeAccuracy: 0,
    omissionRate: 1,
    parseFailed: 1,
    schemaFailed: 0,
    expected: 3,
    predicted: 0,
  });
  expect(rowNumbers(scoreRow(dozen[10]!))).toMatchObject({ parseFailed: 0, schemaFailed: 1 });
});

test("headlineValues() are in the order of the columns", () => {
  const values = headlineValues(rowNumbers(scoreRow(dozen[0]!)));
  expect([values[columnAt.samples], values[columnAt.partialHalves]]).toEqual([1, 4]);
  expect(values[columnAt.partialF1]).toBeCloseTo(0.8, 12);
});
