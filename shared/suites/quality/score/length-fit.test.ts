import { expect, test } from "vitest";
import { lengthFit } from "./length-fit.ts";

test.each([
  [4, 10, 2.5, 1],
  [3, 8, 2.5, 1 - Math.log(8 / 7.5)],
  [4, 5, 2.5, 1 - Math.log(2)],
  [4, 100, 2.5, 0],
  [4, 4, 1, 1],
  [0, 10, 2.5, 0],
  [4, 0, 2.5, 0],
])("lengthFit(%i, %i, %f) is %f", (prompt, response, ratio, score) => {
  expect(lengthFit(prompt, response, ratio).score).toBeCloseTo(score, 12);
});
