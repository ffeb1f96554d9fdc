import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalize, canonicalSlot, isSameSlot } from "./canonical.ts";

test.each([
  ["New York", "new york", "new york"],
  ["  a \t\n b  ", "a b", "a b"],
  ["snake_case_name", "snake case name", "snake case name"],
  ["rock'n'roll, R&B!", "rock n roll r b", "rock n roll r b"],
  ["!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "", ""],
  ["3.5%", "3 5", "3 5"],
  ["Zürich", "zrich", "zürich"],
  ["東京", "", "東京"],
  ["naïve–café", "navecaf", "naïvecafé"],
  ["a\u00a0b", "ab", "ab"],
  ["cafe\u0301", "cafe", "café"],
  ["हिन्दी ३", "", "हिन्दी ३"],
  ["ÉCOLE", "cole", "école"],
  ["❤️ tea 😀", "tea", "tea"],
  ["a 東 b", "a b", "a 東 b"],
  ["\ud800x", "x", "x"],
  ["", "", ""],
])("canonicalize(%j) is %j, with other scripts %j", (value, ascii, everyScript) => {
  expect(canonicalize(value, true)).toBe(ascii);
  expect(canonicalize(value, false)).toBe(everyScript);
});

test("canonicalize() changes nothing the second time", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."aB7_ \t-!'éß東😀\u00a0\u0301") }),
      (value) => {
        const once = canonicalize(value, true);
        expect(canonicalize(once, true)).toBe(once);
        expect(once).toMatch(/^$|^\S+( \S+)*$/);
      },
    ),
  );
});

test("canonicalSlot() drops empty values and keeps tokens in order", () => {
  const slot = canonicalSlot(["Sea-swimming!", "東京", "a a", "A a"], true);
  expect([...slot.values]).toEqual(["sea swimming", "a a"]);
  expect(slot.tokens).toEqual(["sea", "swimming", "a", "a", "a", "a"]);
});

test.each([
  [["a", "b"], ["B!", "A"], true],
  [["a"], ["a", "a."], true],
  [["a", "b"], ["a"], false],
  [["a"], ["a", "b"], false],
  [["a b"], ["a", "b"], false],
  [["東京"], ["大阪"], true],
  [["東京", "a"], ["a"], true],
])("isSameSlot() of %j and %j is %s", (a, b, same) => {
  expect(isSameSlot(canonicalSlot(a, true), canonicalSlot(b, true))).toBe(same);
});
