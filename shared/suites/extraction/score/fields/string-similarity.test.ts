import fc from "fast-check";
import { expect, test } from "vitest";
import { aField, defaultRules } from "../../__fixtures__/build.ts";
import { fieldText } from "./field-text.ts";
import { similarityBound, stringComposite, stringSimilarity } from "./string-similarity.ts";

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
