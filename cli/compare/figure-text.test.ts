import { expect, test } from "vitest";
import { differenceText, intervalText } from "./figure-text.ts";

test.each([
  [0.25, "percent", "+25.0 pp"],
  [-0.25, "score", "-0.250"],
  [0.5, "level", "+0.50"],
  [-0.001, "level", "0.00"],
] as const)("differenceText(%s, %s) is %s", (value, format, text) => {
  expect(differenceText(value, format)).toBe(text);
});

test("intervalText() prints levels with their scale", () => {
  expect(intervalText([3.5, 4.25], "level")).toBe("3.50/5 – 4.25/5");
});
