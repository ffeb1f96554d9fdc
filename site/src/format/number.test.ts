import { expect, it } from "vitest";
import {
  formatDifference,
  formatDifferenceInterval,
  formatDifferenceTick,
  formatInterval,
  formatSigned,
  formatTick,
  formatValue,
  scoreText,
} from "./number.ts";

it.each([
  [0.8734, "score", "0.873"],
  [0.8734, "percent", "87.3%"],
  [4.126, "level", "4.13/5"],
  [1834.2, "ms", "1,834\u202fms"],
  [4.26, "ms", "4.3\u202fms"],
  [1200, "count", "1,200"],
  [84.34, "count", "84.3"],
  [0.01234, "count", "0.012"],
  [12.5, "usd", "$12.50"],
  [0.00123, "usd", "$0.00123"],
  [-0.0004, "score", "0.000"],
  [-0.0004, "percent", "0.0%"],
  [-0.25, "score", "−0.250"],
  [null, "score", "–"],
  [undefined, "percent", "–"],
] as const)("formatValue(%s, %s) is %s", (value, format, printed) => {
  expect(formatValue(value, format)).toBe(printed);
});

it.each([
  [[0.8, 0.9], "score", "0.800–0.900"],
  [[0.8, 0.9], "percent", "80.0–90.0%"],
  [[3.9, 4.2], "level", "3.90–4.20/5"],
  [[900, 1100], "ms", "900–1,100\u202fms"],
  [[1, 2.5], "usd", "$1.00–$2.50"],
  [[-0.1, 0.2], "score", "−0.100 to 0.200"],
  [[-0.0001, 0.2], "score", "0.000 to 0.200"],
] as const)("formatInterval(%s, %s) is %s", (interval, format, printed) => {
  expect(formatInterval(interval, format)).toBe(printed);
});

it("formatInterval() prints a dash without an interval", () => {
  expect(formatInterval(null, "score")).toBe("–");
});

it("formatTick() omits unnecessary digits", () => {
  expect([formatTick(0.6, "score"), formatTick(0.25, "percent")]).toEqual(["0.6", "25%"]);
  expect([formatTick(4, "level"), formatTick(4.5, "level")]).toEqual(["4", "4.5"]);
});

it.each([
  [0.967, [0.93, 0.99], "EQS 0.967 (95% interval 0.930–0.990)"],
  [0.967, null, "EQS 0.967"],
  [null, null, "EQS not measured"],
] as const)("scoreText() of %j with %j is %s", (value, interval, text) => {
  const estimate = { value, interval: interval && ([...interval] as [number, number]) };
  expect(scoreText({ label: "EQS", format: "score" }, estimate)).toBe(text);
});

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

it("formatDifferenceInterval() gives each end a sign", () => {
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

it("formatSigned() uses a minus sign, not a hyphen", () => {
  expect(formatSigned(-1.234, 2)).toBe("−1.23");
  expect(formatSigned(null, 2)).toBe("–");
  expect(formatSigned(-0.001, 2)).toBe("0.00");
});
