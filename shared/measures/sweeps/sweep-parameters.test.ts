import { expect, test } from "vitest";
import { compareVariants, sweepParameters, variantText } from "./sweep-parameters.ts";

test("sweepParameters() lists each value once, null first and numbers ascending", () => {
  const variants = [10, 2, null, 2].map((seed) => ({ seed, mode: "b" }));
  expect(sweepParameters([...variants, { seed: 10, mode: "a" }])).toEqual([
    { name: "seed", values: [null, 2, 10] },
    { name: "mode", values: ["a", "b"] },
  ]);
  expect(sweepParameters([])).toEqual([]);
});

test("compareVariants() sorts by the first parameter first", () => {
  const variants = [
    { a: 1, b: 0 },
    { a: 0, b: 2 },
    { a: 0, b: null },
    { a: 0, b: "x" },
  ];
  expect(variants.toSorted(compareVariants).map(({ b }) => b)).toEqual([null, 2, "x", 0]);
});

test("variantText() names parameters left to the endpoint", () => {
  expect(variantText({ temperature: 0, top_p: null })).toBe("temperature 0, top_p unset");
});
