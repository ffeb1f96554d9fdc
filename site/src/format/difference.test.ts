import { expect, it } from "vitest";
import {
  formatDifference,
  formatDifferenceInterval,
  formatDifferenceTick,
  formatSigned,
} from "./difference.ts";

it.each([
  [0.0123, "score", "+0.012"],
  [-0.0123, "score", "−0.012"],
  [-0.0001, "score", "0.000"],
  [0.051, "percent", "+5.1\u202fpp"],
  [-0.5, "level", "−0.50"],
  [120, "ms", "+120\u202fms"],
  [-0.5, "usd", "−$0.50"],
  [null, "score", "–"],
] as const)("formatDifference(%s, %s) is %s", (value, format, text) => {
  expect(formatDifference(value, format)).toBe(text);
});

it("formatDifferenceInterval() gives each end its sign", () => {
  expect(formatDifferenceInterval([-0.01, 0.02], "score")).toBe("−0.010 to +0.020");
  expect(formatDifferenceInterval(null, "score")).toBe("–");
});

it.each([
  [0, "score", "0"],
  [0.05, "score", "+0.05"],
  [-0.05, "percent", "−5"],
  [-200, "ms", "−200\u202fms"],
] as const)("formatDifferenceTick(%s, %s) is %s", (value, format, text) => {
  expect(formatDifferenceTick(value, format)).toBe(text);
});

it("formatSigned() writes a minus, not a hyphen", () => {
  expect(formatSigned(-1.234, 2)).toBe("−1.23");
  expect(formatSigned(null, 2)).toBe("–");
  expect(formatSigned(-0.001, 2)).toBe("0.00");
});
