import { expect, test } from "vitest";
import { contentStem } from "./content-stem.ts";
import { words } from "./words.ts";

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

test("contentStem() bears a word of any length", () => {
  const [long] = words("ay'".repeat(200_000));
  expect(contentStem(long!)).toHaveLength(400_000);
});
