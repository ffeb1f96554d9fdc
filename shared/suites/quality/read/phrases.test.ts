import { expect, test } from "vitest";
import { countPhrases, phrasePattern } from "./phrases.ts";

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
