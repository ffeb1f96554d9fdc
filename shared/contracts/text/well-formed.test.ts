import { expect, it } from "vitest";
import { illFormedPath, isPrintable, wellFormed } from "./well-formed.ts";

it.each([
  [{ a: "fine", b: ["😀", { c: "Ω" }] }, null],
  ["\ud800", []],
  [{ a: ["x", "\udc00y"] }, ["a", 1]],
  [{ "\ud83d": 1 }, ["\ud83d"]],
  [null, null],
])("illFormedPath() of %j", (value, expected) => {
  expect(illFormedPath(value)).toEqual(expected);
});

it("illFormedPath() goes as deep as the value does", () => {
  let deep: unknown = "\ud800";
  for (let i = 0; i < 1_000; i++) deep = [deep];
  expect(illFormedPath(deep)).toHaveLength(1_000);
});

it("wellFormed() replaces lone surrogates alone", () => {
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
