import { expect, test } from "vitest";
import { compilePattern, unicodePattern } from "./compile-pattern.ts";

test.each([
  ["^[a-z]+$", "^[a-z]+$"],
  ["^[A-Z\\-\\_]+$", "^[A-Z\\-_]+$"],
  ["\\@\\w\\.", "@\\w\\."],
  ["\\\\\\_", "\\\\_"],
  ["(", null],
  ["[z-a]", null],
])("unicodePattern(%j) is %j", (pattern, expected) => {
  expect(unicodePattern(pattern)).toBe(expected);
});

test("compilePattern() is null for what is no regular expression", () => {
  expect(compilePattern("(")).toBeNull();
  expect(compilePattern("^a")?.test("ab")).toBe(true);
});
