import fc from "fast-check";
import { expect, test } from "vitest";
import { f1, ratio, tokenF1, tokenSet } from "./token-f1.ts";

test.each([
  ["", "a", 0],
  ["a", "", 0],
  ["", "", 0],
  ["a b", "a b", 1],
  ["one two", "two one", 1],
  ["a a a b", "a b", 1],
  ["new york city", "new york", 0.8],
])("tokenF1(%j, %j) is %d", (a, b, value) => {
  expect(tokenF1(a, b)).toBeCloseTo(value, 12);
});

test("tokenF1() is symmetric and within 0 and 1", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const value = tokenF1(a, b);
      return value >= 0 && value <= 1 && value === tokenF1(b, a);
    }),
  );
});

test("tokenSet() splits at any whitespace", () => {
  expect([...tokenSet(" a\tb\u2003a ")]).toEqual(["a", "b"]);
});

test.each([
  [0, 0, 0],
  [1, 1, 1],
  [0.5, 1, 2 / 3],
])("f1(%d, %d) is %d", (precision, recall, value) => {
  expect(f1(precision, recall)).toBeCloseTo(value, 12);
});

test("ratio() is the given value if the whole is 0", () => {
  expect(ratio(0, 0, 1)).toBe(1);
  expect(ratio(1, 4, 0)).toBe(0.25);
});
