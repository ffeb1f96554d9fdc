import fc from "fast-check";
import { expect, test } from "vitest";
import { levenshteinSimilarity } from "./levenshtein-similarity.ts";

test.each([
  ["", "", 1],
  ["", "abc", 0],
  ["kitten", "sitting", 1 - 3 / 7],
  ["a😀b", "a😃b", 1 - 1 / 3],
  ["😀", "ab", 0],
])("levenshteinSimilarity(%j, %j) is %d", (a, b, value) => {
  expect(levenshteinSimilarity(a, b)).toBeCloseTo(value, 12);
});

test("levenshteinSimilarity() is 0 for texts that are too long to compare", () => {
  expect(levenshteinSimilarity("a".repeat(100_000), "b".repeat(100_000))).toBe(0);
});

test("levenshteinSimilarity() agrees with the textbook algorithm on code points", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "😃"), maxLength: 40 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [x, y] = [[...a], [...b]];
      const longer = Math.max(x.length, y.length);
      const expected = longer === 0 ? 1 : 1 - textbookDistance(x, y) / longer;
      return Math.abs(levenshteinSimilarity(a, b) - expected) < 1e-12;
    }),
  );
});

function textbookDistance(a: string[], b: string[]): number {
  let row = b.map((_, j) => j + 1);
  a.forEach((left, i) => {
    let diagonal = i;
    let before = i + 1;
    row = b.map((right, j) => {
      const value = Math.min(before + 1, row[j]! + 1, diagonal + Number(left !== right));
      diagonal = row[j]!;
      before = value;
      return value;
    });
  });
  return row.at(-1) ?? a.length;
}
