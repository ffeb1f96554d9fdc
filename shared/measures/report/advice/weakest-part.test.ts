import { expect, test } from "vitest";
import type { PartCell } from "../parts/strength-blocks.ts";
import { weakestPart } from "./weakest-part.ts";

const cell = (label: string, value: number, n = 20) => ({
  label,
  value,
  n,
  interval: [value - 0.1, value + 0.1] as const,
});

test.each<[PartCell[], number | null, string | undefined]>([
  [[cell("a", 0.6), cell("b", 0.5), cell("c", 0.9)], 0.8, "b"],
  [[cell("a", 0.75)], 0.8, undefined],
  [[cell("a", 0.5, 19)], 0.8, undefined],
  [[{ ...cell("a", 0.5), interval: null }], 0.8, undefined],
  [[{ ...cell("a", 0.5), value: null }], 0.8, undefined],
  [[cell("a", 0.5)], null, undefined],
  [[], 0.8, undefined],
])("weakestPart(%j, %s) is %s", (cells, whole, label) => {
  expect(weakestPart(cells, whole)?.label).toBe(label);
});
