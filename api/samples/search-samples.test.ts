import { expect, test } from "vitest";
import { matchesPattern } from "./search-samples.ts";

test.each([
  ["date", "date", true],
  ["date", "Date", true],
  ["date", "due_date", false],
  ["*date*", "invoice.due_date", true],
  ["*date", "due_dates", false],
  ["items[].*", "items[].price", true],
  ["items[].*", "items.price", false],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["ab*ba", "aba", false],
  ["*", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
])("matchesPattern(%j, %j) is %s", (pattern, text, isMatch) => {
  expect(matchesPattern(pattern, text)).toBe(isMatch);
});

test("matchesPattern() is fast with many stars", () => {
  const begun = performance.now();
  expect(matchesPattern("*a".repeat(200), `${"a".repeat(199)}b`)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(200);
});
