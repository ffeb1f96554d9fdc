import { expect, test } from "vitest";
import { emptyTally, fieldCounts, fieldRates } from "./tally.ts";

test("fieldRates() is perfect without fields", () => {
  expect(fieldRates(emptyTally())).toMatchObject({
    strictPrecision: 1,
    partialRecall: 1,
    lenientF1: 1,
    typeAccuracy: 1,
    hallucinationRate: 0,
    omissionRate: 0,
  });
});

test.each([
  [
    { missed: 2 },
    { partialPrecision: 0, partialRecall: 0, partialF1: 0, typeAccuracy: 0, omissionRate: 1 },
  ],
  [{ spurious: 2 }, { partialPrecision: 0, partialRecall: 0, partialF1: 0, hallucinationRate: 1 }],
  [
    { exact: 2, partial: 1, missed: 1, identical: 1, lenient: 3, typeCorrect: 3 },
    {
      strictPrecision: 1 / 3,
      partialPrecision: 2.5 / 3,
      partialRecall: 2.5 / 4,
      lenientRecall: 3 / 4,
    },
  ],
])("fieldRates(%j) are %j", (counts, rates) => {
  const found = fieldRates({ ...emptyTally(), ...counts });
  for (const [name, value] of Object.entries(rates)) {
    expect(found[name as keyof typeof found], name).toBeCloseTo(value, 12);
  }
});

test("fieldCounts() returns the numbers of expected and predicted fields", () => {
  const tally = { ...emptyTally(), exact: 1, incorrect: 1, missed: 3, spurious: 2 };
  expect(fieldCounts(tally)).toEqual({ expected: 5, predicted: 4 });
});
