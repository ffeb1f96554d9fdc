import { expect, test } from "vitest";
import { anAnswer, aSample, aScored } from "./__fixtures__/build.ts";
import { sampleNumbers, unitColumns } from "./columns.ts";
import { headlineFigures, sampleMeans } from "./figures.ts";
import { scoreRow } from "./state.ts";

const outputs = ['{"a": 1, "b": 2, "c": 3, "d": 4}', '{"a": 1, "z": 1}', "?"];
const expected = { a: 1, b: 2, c: 3, d: 4 };
const numbersOf = (outputs: string[]) =>
  sampleNumbers(
    outputs.map((output, seq) =>
      scoreRow(aScored(seq, aSample(expected, { id: `${seq}` }), anAnswer(output))),
    ),
  );
const sumsOf = (outputs: string[]) =>
  Float64Array.from(unitColumns(numbersOf(outputs)), (column) => column.reduce((a, b) => a + b, 0));

test.each([
  ["validity", 2 / 3],
  ["exactMatch", 1 / 3],
  ["exactMatchOfValid", 1 / 2],
  ["partialPrecision", 5 / 6],
  ["partialRecall", 5 / 12],
  ["strictF1", 10 / 18],
  ["hallucinationRate", 1 - (1 + 0.5) / 3],
  ["hallucinationRateOfValid", 1 / 6],
  ["omissionRate", 7 / 12],
  ["parseFailureRate", 1 / 3],
  ["successRate", 1],
])("headlineFigures %s is %d", (id, value) => {
  expect(headlineFigures[id]!(sumsOf(outputs))).toBeCloseTo(value, 12);
});

test("headlineFigures without samples are null", () => {
  const sums = sumsOf([]);
  expect(
    Object.values(headlineFigures)
      .map((figure) => figure(sums))
      .every((v) => v === null),
  ).toBe(true);
});

test("headlineFigures of valid outputs are null where none is valid", () => {
  const sums = sumsOf(["?"]);
  expect(headlineFigures["exactMatchOfValid"]!(sums)).toBeNull();
  expect(headlineFigures["hallucinationRateOfValid"]!(sums)).toBeNull();
  expect(headlineFigures["hallucinationRate"]!(sums)).toBe(1);
});

test("sampleMeans() are plain and by expected fields", () => {
  const means = sampleMeans(numbersOf(outputs).samples);
  expect(means["partialRecallMacro"]).toBeCloseTo((1 + 1 / 4 + 0) / 3, 12);
  expect(means["partialRecallWeighted"]).toBeCloseTo((1 + 1 / 4 + 0) / 3, 12);
  expect(sampleMeans([])["strictF1Macro"]).toBeNull();
});
