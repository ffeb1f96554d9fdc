import { expect, test } from "vitest";
import { intervalText } from "./blocks.ts";

test.each([
  [[0.1, 0.25], "0.100–0.250"],
  [[-0.225, -0.024], "−0.225 to −0.024"],
  [[-0.1, 0.25], "−0.100 to 0.250"],
] as const)("intervalText(%j) is %j", (interval, text) => {
  expect(intervalText(interval)).toBe(text);
});

test("intervalText() of none is none", () => {
  expect(intervalText(null)).toBeNull();
});

test("intervalText() prints the ends by their format", () => {
  expect(intervalText([0.1, 0.25], "percent")).toBe("10.0%–25.0%");
});
