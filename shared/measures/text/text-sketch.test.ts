import fc from "fast-check";
import { expect, test } from "vitest";
import { containment } from "../../suites/extraction/score/fields/field-text.ts";
import { levenshteinSimilarity } from "./levenshtein-similarity.ts";
import {
  containmentBound,
  levenshteinBound,
  type TextSketch,
  textSketch,
  tokenF1Bound,
} from "./text-sketch.ts";
import { tokenF1, tokenSet } from "./token-f1.ts";

const sketch = (text: string) => textSketch(text, tokenSet(text));

const pairs: [
  string,
  (a: string, b: string) => number,
  (a: TextSketch, b: TextSketch) => number,
][] = [
  ["tokenF1", tokenF1, tokenF1Bound],
  ["levenshtein", levenshteinSimilarity, levenshteinBound],
  ["containment", containment, containmentBound],
];

test.each(pairs)("textSketch() gives an upper bound of %s", (_, measure, bound) => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "😀", "😃"), maxLength: 12 }),
    fc.lorem({ maxCount: 8 }),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(bound(sketch(a), sketch(b))).toBeGreaterThanOrEqual(measure(a, b));
      expect(bound(sketch(a), sketch(a))).toBeGreaterThanOrEqual(measure(a, a));
    }),
  );
});

test("textSketch() of texts without a common letter gives a bound of 0", () => {
  const [a, b] = [sketch("abc"), sketch("xyz")];
  expect(pairs.map(([, , bound]) => bound(a, b))).toEqual([0, 0, 0]);
});

test("textSketch() counts code points and distinct words", () => {
  expect(sketch("a 😀 a")).toMatchObject({ length: 5, tokens: 2 });
  expect(sketch("")).toEqual({
    length: 0,
    tokens: 0,
    extraTokens: 0,
    tokenBits: 0,
    characterBits: 0,
  });
});
