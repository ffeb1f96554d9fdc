import fc from "fast-check";
import { expect, test } from "vitest";
import { isBoundary, withinTokens } from "./within-tokens.ts";

test.each([
  ["york", "new york, ny", true],
  ["york", "yorkshire", false],
  ["york", "yorkshire york", true],
  ["new york", "(new york)", true],
  ["34", "134", false],
  ["34", "34", true],
  ["e", "caf\u00e9", false],
  ["caf", "caf\u00e9", false],
  ["cafe", "cafe\u0301", false],
  ["\u{1d49c}", "x\u{1d49c}", false],
  ["x", "\u{1d49c}x", false],
  ["x", "\u{1f600}x", true],
  ["東京", "私は東京都に", true],
  ["tokyo", "東京tokyo都", true],
  ["$5", "us$5", true],
  ["", "", true],
  ["", "text", true],
  ["a", "", false],
  ["toolong", "too", false],
])("withinTokens(%j, %j) is %s", (part, text, within) => {
  expect(withinTokens(part, text)).toBe(within);
});

test("isBoundary() is false inside a run of letters, and true at both ends", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "é", "0", "ß", "\u{1d49c}"), minLength: 1 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isBoundary(a + b, a.length)).toBe(false);
      expect(isBoundary(`${a} ${b}`, a.length)).toBe(true);
      expect(isBoundary(a, 0) && isBoundary(a, a.length)).toBe(true);
    }),
  );
});
