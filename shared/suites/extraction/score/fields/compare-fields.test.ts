import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { aField, defaultRules } from "../../__fixtures__/build.ts";
import { coercedPair, compareFields } from "./compare-fields.ts";

test.each<[Json, Json, string]>([
  ["Ada", "ada", "exact"],
  [["a", "b"], ["b", "a"], "exact"],
  ["new york city", "new york", "partial"],
  ["Zürich", "Zurich", "incorrect"],
  [34, 35, "partial"],
  [1999, 2000, "partial"],
  [1000.25, 1001.2, "exact"],
  [8.5, 8, "partial"],
  [5.0, 5, "exact"],
  [0, 0.1, "incorrect"],
  [true, false, "incorrect"],
  ["1", 1, "incorrect"],
])("compareFields(%j, %j) is %s", (expected, predicted, category) => {
  expect(compareFields(aField(expected), aField(predicted), defaultRules).category).toBe(category);
});

test("compareFields() matches a numeric string and a number if types are coerced", () => {
  const rules = { ...defaultRules, coerceTypes: true };
  expect(compareFields(aField("5"), aField(5), rules).category).toBe("exact");
  expect(compareFields(aField("five"), aField(5), rules).category).toBe("incorrect");
});

test.each<[Json, Json, Json[] | undefined]>([
  ["5", 5, [5, 5]],
  [5, " -1.5e3 ", [5, -1500]],
  ["true", false, [true, false]],
  ["0x10", 16, undefined],
  ["", 0, undefined],
  ["yes", true, undefined],
  [1, true, undefined],
])("coercedPair(%j, %j) is %j", (expected, predicted, pair) => {
  expect(coercedPair(aField(expected), aField(predicted))?.map(({ value }) => value)).toEqual(pair);
});
