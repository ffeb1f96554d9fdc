import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenF1, tokenSet } from "./token-f1.ts";

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
