import { expect, test } from "vitest";
import { containment } from "./containment.ts";

test.each([
  ["york", "new york city", 1],
  ["San Francisco, CA", "San Francisco", 13 / 17],
  ["a😀", "😀", 1 / 2],
  ["abc", "xyz", 0],
  ["", "abc", 0],
  ["abc", "", 0],
])("containment(%j, %j) is %d", (expected, predicted, value) => {
  expect(containment(expected, predicted)).toBeCloseTo(value, 12);
});
