import fc from "fast-check";
import { expect, test } from "vitest";
import { countCodePoints } from "./code-points.ts";

test.each([
  ["", 0],
  ["naïve", 5],
  ["東京", 2],
  ["a😀b😀", 4],
  ["\ud83d", 1],
  ["\ude00\ud83d", 2],
])("countCodePoints(%j) is %d", (text, count) => {
  expect(countCodePoints(text)).toBe(count);
});

test("countCodePoints() equals the number of iterations over a text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(countCodePoints(text)).toBe([...text].length);
    }),
  );
});
