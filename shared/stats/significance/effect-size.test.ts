import { expect, it } from "vitest";
import { cohensD, effectSize } from "./effect-size.ts";

it("cohensD() divides by the root mean of both population variances", () => {
  // Means 3 and 2, variances 1 and 1.
  expect(cohensD([2, 4], [1, 3])).toBe(1);
});

it("cohensD() is 0 when neither side varies", () => {
  expect(cohensD([1, 1], [0, 0])).toBe(0);
});

it.each([
  [0, "negligible"],
  [0.19, "negligible"],
  [-0.2, "small"],
  [0.5, "medium"],
  [-0.8, "large"],
])("effectSize(%d) is %s", (d, word) => {
  expect(effectSize(d)).toBe(word);
});
