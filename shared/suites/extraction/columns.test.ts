import { expect, test } from "vitest";
import { anAnswer, aSample, aScored } from "./__fixtures__/build.ts";
import { rowNumbers, sampleNumbers, unitColumns } from "./columns.ts";
import { scoreRow } from "./state.ts";

const rowOf = (id: string, output: string, cluster?: string) => {
  const sample = aSample({ a: 1 }, { id, tags: cluster === undefined ? {} : { cluster } });
  return scoreRow(aScored(0, sample, anAnswer(output)));
};

test("rowNumbers() gives an invalid output no rate but omission", () => {
  expect(rowNumbers(rowOf("s", "?"))).toMatchObject({
    ...{ valid: 0, noHallucination: 0, partialF1: 0, typeAccuracy: 0, omissionRate: 1 },
    ...{ parseFailed: 1, schemaFailed: 0, expected: 1, predicted: 0 },
  });
});

test("sampleNumbers() averages the repeats of a sample", () => {
  const { samples } = sampleNumbers([rowOf("s", '{"a": 1}'), rowOf("s", "?"), rowOf("t", "?")]);
  expect(samples.map(({ eqs, valid }) => [eqs, valid])).toEqual([
    [0.5, 0.5],
    [0, 0],
  ]);
});

test("unitColumns() sums the samples of a cluster", () => {
  const rows = [rowOf("s", '{"a": 1}', "doc"), rowOf("t", '{"a": 1}', "doc"), rowOf("u", "?")];
  const numbers = sampleNumbers(rows);
  expect(numbers).toMatchObject({ units: [0, 0, 1], clustered: true });
  expect([...unitColumns(numbers)[0]!]).toEqual([2, 1]);
});

test("unitColumns() of nothing are empty", () => {
  expect(unitColumns(sampleNumbers([])).every(({ length }) => length === 0)).toBe(true);
});
