import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { aField, defaultRules } from "../__fixtures__/build.ts";
import { composite, identical, jaccard } from "./composite.ts";

test.each<[Json, Json, number]>([
  ["A  b", "a B", 1],
  ["", "", 1],
  ["", "x", 0],
  ["new york city", "new york", 0.5 * 0.8 + 0.3 * (8 / 13) + 0.2 * (8 / 13)],
  [10, 9, 0.9],
  [10, 30, 0],
  [0, 1, 0],
  [0, 1e-7, 1],
  [1e308, -1e308, 0],
  [true, false, 0],
  ["1", 1, 0],
  [[1, "1", true], ["1", 1, "true"], 0.5],
  [[], [], 1],
  [[], ["x"], 0],
  [{}, {}, 1],
])("composite(%j, %j) is %d", (expected, predicted, value) => {
  expect(composite(aField(expected), aField(predicted), defaultRules)).toBeCloseTo(value, 12);
});

test("composite() is defined for numbers beyond the range of doubles", () => {
  const beyond = aField(Number.POSITIVE_INFINITY);
  expect(composite(beyond, aField(1), defaultRules)).toBe(0);
  expect(composite(beyond, beyond, defaultRules)).toBe(1);
});

test.each<[Json, Json, boolean]>([
  [["Red", 1], ["red ", 1.0000001], true],
  [["a", "b"], ["b", "a"], false],
  [[null], [null], true],
  [1, 1.00001, false],
])("identical(%j, %j) is %s", (expected, predicted, same) => {
  expect(identical(aField(expected), aField(predicted), defaultRules)).toBe(same);
});

test("composite() is within 0 and 1, and 1 for a value and itself", () => {
  const leaf = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 }),
  );
  fc.assert(
    fc.property(leaf, leaf, (a, b) => {
      const score = composite(aField(a as Json), aField(b as Json), defaultRules);
      return (
        score >= 0 && score <= 1 + 1e-12 && composite(aField(a), aField(a), defaultRules) === 1
      );
    }),
  );
});

test.each([
  [[], [], 0],
  [["a"], [], 0],
  [["a", "b"], ["b", "c"], 1 / 3],
  [["a", "b"], ["b", "a"], 1],
])("jaccard(%j, %j) is %d", (a: string[], b: string[], value) => {
  expect(jaccard(new Set(a), new Set(b))).toBeCloseTo(value, 12);
});
