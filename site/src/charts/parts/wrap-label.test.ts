import { expect, it } from "vitest";
import { cutLabel, fitLabel, wrapLabel } from "./wrap-label.ts";

it.each([
  ["Conversational continuity", 15, 2, "Conversational\ncontinuity"],
  ["Conversational continuity", 30, 1, "Conversational continuity"],
  ["Conversational continuity", 15, 1, null],
  ["Conversational continuity", 10, 3, null],
  ["items[].price.currency", 14, 2, "items[].price.\ncurrency"],
  ["one two three four", 9, 2, null],
  ["", 5, 1, ""],
])("wrapLabel(%j, %d, %d) is %j", (label, perLine, lines, wrapped) => {
  expect(wrapLabel(label, perLine, lines)).toBe(wrapped);
});

it.each([
  ["Precision", 7, 2, "Preci-\nsion"],
  ["Exact match coverage", 7, 4, "Exact\nmatch\ncove-\nrage"],
  ["Unbreakableword", 6, 2, "Unbre…"],
  ["Precision", 3, 2, "Pr…"],
])("fitLabel(%j, %d, %d) is %j", (label, perLine, lines, fitted) => {
  expect(fitLabel(label, perLine, lines)).toBe(fitted);
});

it("cutLabel() keeps the end, where variants of one model differ", () => {
  const cut = cutLabel("A Model with a Long Name (high effort)", 28);
  expect(cut).toBe("A Model with a…(high effort)");
  expect(cut).toHaveLength(28);
});
