import { expect, it } from "vitest";
import { formatValue } from "../../format/number.ts";
import { cellNumber } from "./cell-number.ts";

it.each([
  ["score", [0, 0.873, 1]],
  ["percent", [0, 0.041, 0.873]],
  ["level", [1, 4.13]],
  ["ms", [0.5, 94.6, 1834, 1_234_567]],
  ["count", [0, 0.00123, 42.5, 12_345]],
  ["usd", [0, 0.0000000012, 0.0012, 12.5, 1234.5]],
] as const)("cellNumber() orders values printed as %s", (format, values) => {
  const read = values.map((value) => cellNumber(formatValue(value, format)));
  expect(read).not.toContain(null);
  expect(read.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(read);
  expect(new Set(read).size).toBe(values.length);
});

it.each([
  [" 12 few samples", 12],
  ["0.873 0.840–0.910", 0.873],
  ["–", null],
  ["", null],
  ["Report", null],
])("cellNumber(%j) is %j", (text, number) => {
  expect(cellNumber(text)).toBe(number);
});
