import { expect, test } from "vitest";
import { contentStem, countPhrases, phrasePattern, words } from "./words.ts";

test.each([
  ["", []],
  [" \n… 😀 —", []],
  ["It’s Ana's 'best' dogs'", ["it's", "ana's", "best", "dogs"]],
  ["rock''n' roll", ["rock", "n", "roll"]],
  ["3.5 m, snake_case, e-mail", ["3", "5", "m", "snake_case", "e", "mail"]],
  ["Ünïcode Ελλάδα 東京٣", ["ünïcode", "ελλάδα", "東京٣"]],
])("words(%j) is %j", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

const pattern = phrasePattern(["then", "as a result"]);

test.each([
  ["", 0],
  ["then, and then.", 2],
  ["strengthen then_ 2then", 0],
  ["as a\n result", 1],
  ["as a resulting sum", 0],
  ["(then)", 1],
])("countPhrases(%j) is %i", (text, count) => {
  expect(countPhrases(text, pattern)).toBe(count);
});

test.each([
  ["networks", "network"],
  ["generalisation", "generalis"],
  ["ai", null],
  ["2024", null],
  ["___", null],
  ["b2b", "b2b"],
  ["about", null],
  ["however", null],
  ["theirs", null],
  ["whose", null],
  ["dog's", "dog"],
  ["don't", "dont"],
  ["東京都", "東京都"],
  ["𝒜𝒜", null],
])("contentStem(%j) is %j", (word, stem) => {
  expect(contentStem(word)).toBe(stem);
});

test("contentStem() accepts a word of any length", () => {
  const [long] = words("ay'".repeat(200_000));
  expect(contentStem(long!)).toHaveLength(400_000);
});
