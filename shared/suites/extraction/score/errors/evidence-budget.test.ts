import { expect, it } from "vitest";
import { TextEvidence } from "./evidence.ts";

const rules = { caseSensitive: false, normalizeWhitespace: true };

it("holds() stops searching a text at the limit per answer; restart() resets it", () => {
  const evidence = new TextEvidence(`${"a".repeat(1e6)} end`, rules);
  const found = Array.from({ length: 500 }, () => evidence.holds("end"));
  expect(found.indexOf(false)).toBe(399);
  expect(evidence.holds("end")).toBe(false);
  evidence.restart();
  expect(evidence.holds("end")).toBe(true);
});
