import fc from "fast-check";
import { expect, test } from "vitest";
import { aField, defaultRules } from "../../__fixtures__/build.ts";
import {
  containment,
  fieldText,
  isSameText,
  similarityBound,
  sketchOf,
  stringComposite,
  stringSimilarity,
  tokensOf,
} from "./field-text.ts";

test("fieldText() normalises a field once", () => {
  const field = aField(" A  b");
  const text = fieldText(field, defaultRules);
  expect(text.normal).toBe("a b");
  expect(fieldText(field, defaultRules)).toBe(text);
});

test.each([
  ["A b", "a  B", true],
  ["a", "a", true],
  ["a", "b", false],
])("isSameText(%j, %j) is %s", (expected, predicted, same) => {
  const [e, p] = [aField(expected), aField(predicted)];
  expect(isSameText(e, p, defaultRules)).toBe(same);
  expect(fieldText(e, defaultRules) === fieldText(p, defaultRules)).toBe(same);
});

test("tokensOf() and sketchOf() cache their results", () => {
  const text = fieldText(aField("new york"), defaultRules);
  expect(tokensOf(text)).toEqual(new Set(["new", "york"]));
  expect(sketchOf(text)).toMatchObject({ length: 8, tokens: 2 });
  expect([tokensOf(text), sketchOf(text)]).toEqual([text.tokens, text.sketch]);
});

const text = (value: string) => fieldText(aField(value), defaultRules);

test.each([
  ["new york city", "New  York", { tokenF1: 4 / 5, levenshtein: 8 / 13, containment: 8 / 13 }],
  ["york", "new york", { tokenF1: 2 / 3, levenshtein: 1 / 2, containment: 1 }],
  ["abc", "xyz", { tokenF1: 0, levenshtein: 0, containment: 0 }],
  ["", "x", { tokenF1: 0, levenshtein: 0, containment: 0 }],
])("stringSimilarity(%j, %j) is %j", (expected, predicted, similarity) => {
  const found = stringSimilarity(text(expected), text(predicted));
  for (const name of ["tokenF1", "levenshtein", "containment"] as const) {
    expect(found[name], name).toBeCloseTo(similarity[name], 12);
  }
});

test("similarityBound() is never below the similarity", () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 5 }), fc.lorem({ maxCount: 5 }), (a, b) => {
      const bound = stringComposite(similarityBound(text(a), text(b)));
      expect(bound).toBeGreaterThanOrEqual(stringComposite(stringSimilarity(text(a), text(b))));
    }),
  );
});

test.each([
  ["york", "new york city", 1],
  ["San Francisco, CA", "San Francisco", 13 / 17],
  ["a😀", "😀", 1 / 2],
  ["abc", "xyz", 0],
  ["", "abc", 0],
  ["abc", "", 0],
])("containment(%j, %j) is %d", (expected, predicted, value) => {
  expect(containment(expected, predicted)).toBeCloseTo(value, 12);
});
