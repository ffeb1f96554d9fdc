import { expect, test } from "vitest";
import { languageOf } from "./language.ts";

test.each([
  ["", "supported"],
  ["42 😀", "supported"],
  ["Zażółć gęślą jaźń", "supported"],
  ["да no", "supported"],
  ["да n", "unsupported"],
  ["机器学习 AI", "unsupported"],
])("languageOf(%j) is %s", (text, language) => {
  expect(languageOf(text)).toBe(language);
});
