import { expect, test } from "vitest";
import { dozen } from "../__fixtures__/dozen.ts";
import { numbersOf } from "./columns.ts";

test("numbersOf() sets all rates of an invalid output to 0, except omission", () => {
  expect(numbersOf(dozen[9]!)).toMatchObject({
    valid: 0,
    noHallucination: 0,
    partialF1: 0,
    typeAccuracy: 0,
    omissionRateMacro: 1,
    parseFailed: 1,
    schemaFailed: 0,
    expected: 3,
    predicted: 0,
  });
  expect(numbersOf(dozen[10]!)).toMatchObject({ parseFailed: 0, schemaFailed: 1 });
});

test("numbersOf() credits a partial field with one half, and weights rates by expected fields", () => {
  const numbers = numbersOf(dozen[0]!);
  expect([numbers.samples, numbers.partialHalves]).toEqual([1, 4]);
  expect(numbers.partialF1).toBeCloseTo(0.8, 12);
  expect(numbers.partialF1Weighted).toBeCloseTo(0.8 * numbers.expected, 12);
});
