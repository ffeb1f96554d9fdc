import fc from "fast-check";
import { expect, it } from "vitest";
import { illFormedPath, isPrintable, printableName, wellFormed } from "./well-formed.ts";

it.each([
  [{ a: "fine", b: ["😀", { c: "Ω" }] }, null],
  ["\ud800", []],
  [{ a: ["x", "\udc00y"] }, ["a", 1]],
  [{ "\ud83d": 1 }, ["\ud83d"]],
  [null, null],
])("illFormedPath(%j) is %j", (value, expected) => {
  expect(illFormedPath(value)).toEqual(expected);
});

it("illFormedPath() finds strings at any nesting depth", () => {
  let deep: unknown = "\ud800";
  for (let i = 0; i < 1_000; i++) deep = [deep];
  expect(illFormedPath(deep)).toHaveLength(1_000);
});

it("wellFormed() replaces only lone surrogates", () => {
  expect(wellFormed({ a: "x\ud800y", b: "😀" })).toEqual({ a: "x\ufffdy", b: "😀" });
  const fine = { a: "😀" };
  expect(wellFormed(fine)).toBe(fine);
});

it.each([
  ["Llama 3.1 (8B) 🦙", true],
  ["山田 モデル", true],
  ["   ", false],
  ["a\u0000b", false],
  ["a\u202eb", false],
  ["a\ud800", false],
  ["", false],
  ["👩‍🔬 Science 🏳️‍🌈 1️⃣", true],
  ["Tiếng Việt", true],
  ["Tiê\u0301ng Viê\u0323t", true],
  ["שלום 7B", true],
  ["می‌خواهم", true],
  ["ကျွန်ုပ်တို့", true],
  ["བསྒྲུབས", true],
  ['"><script>alert(1)</script>', true],
  ["\u200d\ufe0f", false],
  ["\u2800", false],
  ["\u3164", false],
  ["\u115f", false],
  ["a\u200bb", false],
  ["a\u2060b", false],
  ["a\ufeffb", false],
  ["a\u00adb", false],
  ["a\u200eb", false],
  ["a\u061cb", false],
  ["a\u2067b", false],
  ["a\u2028b", false],
  ["a\u2029b", false],
  ["a\nb", false],
  ["a\u0085b", false],
  ["a\u{e0041}", false],
  ["a\ufff9b", false],
  ["\u0301a", false],
  [`a${"\u0301".repeat(6)}`, true],
  [`a${"\u0301".repeat(7)}`, false],
  ["\u0301".repeat(120), false],
])("isPrintable(%j) is %s", (text, expected) => {
  expect(isPrintable(text)).toBe(expected);
});

it.each([
  ["other\u202egnp", "other\ufffdgnp"],
  ["a\u2067b\u2069", "a\ufffdb\ufffd"],
  ["gpt\u200b-4", "gpt\ufffd-4"],
  ["a\u0000b\r\nc\u2028d", "a\ufffdb\ufffd\ufffdc\ufffdd"],
  ["a\ud800", "a\ufffd"],
  ["\ufeffgpt-4", "\ufffdgpt-4"],
  [` ${"\u0301".repeat(3)}a`, "\ufffda"],
  [`a${"\u0301".repeat(119)}b`, "a\ufffdb"],
  [" gpt-4o-2024-11-20 ", "gpt-4o-2024-11-20"],
  ["می‌خواهم 🏳️‍🌈", "می‌خواهم 🏳️‍🌈"],
  ["  ", ""],
  ["\u2800\u200d", ""],
  ["", ""],
])("printableName(%j) is %j", (text, expected) => {
  expect(printableName(text)).toBe(expected);
});

it("printableName() returns a printable or empty name for any text, and keeps printable ones", () => {
  const odd = fc.constantFrom(
    "\u0301",
    "\u202e",
    "\u200d",
    "\ufe0f",
    " ",
    "\n",
    "a",
    "\ud800",
    "\u2800",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(odd).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const name = printableName(text);
      expect(name === "" || isPrintable(name)).toBe(true);
      expect(printableName(name)).toBe(name);
      if (isPrintable(text)) expect(name).toBe(text.trim());
    }),
  );
});
