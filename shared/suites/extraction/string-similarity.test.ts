import fc from "fast-check";
import { expect, test } from "vitest";
import { aField, defaultRules } from "./__fixtures__/build.ts";
import { similarityBound, stringComposite, stringSimilarity, textOf } from "./string-similarity.ts";

test.each([
  ["new york city", "New  York", { tokenF1: 4 / 5, levenshtein: 8 / 13, containment: 8 / 13 }],
  ["york", "new york", { tokenF1: 2 / 3, levenshtein: 1 / 2, containment: 1 }],
  ["abc", "xyz", { tokenF1: 0, levenshtein: 0, containment: 0 }],
  ["", "x", { tokenF1: 0, levenshtein: 0, containment: 0 }],
])("stringSimilarity(%j, %j) is %j", (expected, predicted, similarity) => {
  const found = stringSimilarity(aField(expected), aField(predicted), defaultRules);
  for (const name of ["tokenF1", "levenshtein", "containment"] as const) {
    expect(found[name], name).toBeCloseTo(similarity[name], 12);
  }
});

test("similarityBound() is never below the similarity", () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 5 }), fc.lorem({ maxCount: 5 }), (a, b) => {
      const [e, p] = [aField(a), aField(b)];
      const bound = stringComposite(similarityBound(e, p, defaultRules));
      expect(bound).toBeGreaterThanOrEqual(stringComposite(stringSimilarity(e, p, defaultRules)));
    }),
  );
});

test("textOf() normalises a field once", () => {
  const field = aField(" A  b");
  expect([textOf(field, defaultRules), field.text]).toEqual(["a b", "a b"]);
});
