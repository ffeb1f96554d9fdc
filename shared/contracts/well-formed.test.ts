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
])("isPrintable(%j) is %s", (text, expected) => {
  expect(isPrintable(text)).toBe(expected);
});
