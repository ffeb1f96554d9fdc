import { expect, it } from "vitest";
import { linesOf, lineText } from "./read-rows.ts";

const read = (text: string) =>
  [...linesOf(new TextEncoder().encode(text))].map(({ number, bytes }) => [
    number,
    lineText(bytes),
  ]);

it("linesOf() numbers lines like an editor and skips empty ones", () => {
  expect(read("\uFEFFfirst\r\n\r\n  \t\nvierte: Größe 大きい\n\nlast")).toEqual([
    [1, "first\r"],
    [4, "vierte: Größe 大きい"],
    [6, "last"],
  ]);
});

it("linesOf() yields nothing for an empty file", () => {
  expect(read("")).toEqual([]);
  expect(read("\n\n")).toEqual([]);
});
