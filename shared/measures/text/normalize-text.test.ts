import fc from "fast-check";
import { expect, test } from "vitest";
import { normalizeText } from "./normalize-text.ts";

const rules = { caseSensitive: false, normalizeWhitespace: true };

test.each([
  ["", ""],
  ["  ", ""],
  ["New York", "new york"],
  [" a\t\nb\u00a0 c ", "a b c"],
  ["Cafe\u0301", "caf\u00e9"],
  ["\u2003x\ufeff", "x"],
])("normalizeText() makes %j %j", (text, normal) => {
  expect(normalizeText(text, rules)).toBe(normal);
});

test("normalizeText() keeps case and whitespace if the rules say so", () => {
  expect(normalizeText(" A  B", { caseSensitive: true, normalizeWhitespace: false })).toBe(" A  B");
});

test("normalizeText() agrees with full normalisation of every text", () => {
  const whole = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      (text) => normalizeText(text, rules) === whole(text),
    ),
  );
});
