import { expect, test } from "vitest";
import { f1, ratio } from "./f1.ts";

test.each([
  [0, 0, 0],
  [1, 1, 1],
  [0.5, 1, 2 / 3],
])("f1(%d, %d) is %d", (precision, recall, value) => {
  expect(f1(precision, recall)).toBeCloseTo(value, 12);
});

test("ratio() gives the stated value for an empty whole", () => {
  expect(ratio(0, 0, 1)).toBe(1);
  expect(ratio(1, 4, 0)).toBe(0.25);
});
