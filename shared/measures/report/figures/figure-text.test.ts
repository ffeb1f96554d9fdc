import { describe, expect, it, test } from "vitest";
import type { Metric } from "../../../contracts/metric.ts";
import {
  boundsText,
  decimalText,
  differenceText,
  figureText,
  intervalText,
  listed,
  pText,
  tickText,
} from "./figure-text.ts";

test.each<[number | null, Metric["format"], string | null]>([
  [0.125, "score", "0.125"],
  [-0.125, "score", "−0.125"],
  [-0.0004, "score", "0.000"],
  [0.125, "percent", "12.5%"],
  [-0.0004, "percent", "0.0%"],
  [3.5, "level", "3.50/5"],
  [15_986.4, "ms", "15,986\u202fms"],
  [4.26, "ms", "4.3\u202fms"],
  [3, "count", "3"],
  [3.25, "count", "3.3"],
  [0.016_67, "count", "0.017"],
  [0.000_123_4, "count", "0.000123"],
  [1234, "count", "1,234"],
  [0.025_83, "usd", "$0.0258"],
  [0.000_001_2, "usd", "$0.00000120"],
  [0.5, "usd", "$0.50"],
  [1.5, "usd", "$1.50"],
  [1234.5, "usd", "$1,234.50"],
  [0, "usd", "$0.00"],
  [-2, "usd", "−$2.00"],
  [null, "score", null],
])("figureText(%j, %s) is %j", (value, format, text) => {
  expect(figureText(value, format)).toBe(text);
});

test.each<[[number, number], Metric["format"], string]>([
  [[0.1, 0.25], "score", "0.100–0.250"],
  [[-0.225, -0.024], "score", "−0.225 to −0.024"],
  [[-0.1, 0.25], "score", "−0.100 to 0.250"],
  [[-0.0001, 0.25], "score", "0.000 to 0.250"],
  [[0.1, 0.25], "percent", "10.0–25.0%"],
  [[0, 0.0004], "percent", "0.00–0.04%"],
  [[0.999_96, 1], "score", "0.99996–1.00000"],
  [[0, 0], "percent", "0.0–0.0%"],
  [[0.016_67, 0.1333], "count", "0.017–0.133"],
  [[0, 0.05], "count", "0.000–0.050"],
  [[1.6, 2], "count", "1.6–2.0"],
  [[3, 14], "count", "3–14"],
  [[1, 2.5], "usd", "$1.00–$2.50"],
])("intervalText(%j, %s) is %j", (interval, format, text) => {
  expect(intervalText(interval, format)).toBe(text);
});

test("intervalText() of null is null", () => {
  expect(intervalText(null)).toBeNull();
});

test.each<[number, Metric["format"], string]>([
  [0.125, "score", "+0.125"],
  [-0.0001, "score", "0.000"],
  [-0.125, "percent", "−12.5\u202fpp"],
  [0.01, "percent", "+1.0\u202fpp"],
  [0.5, "level", "+0.50"],
  [-20, "ms", "−20\u202fms"],
])("differenceText(%j, %s) is %j", (difference, format, text) => {
  expect(differenceText(difference, format)).toBe(text);
});

describe("numbers without a unit", () => {
  test("decimalText() has no minus if the value rounds to 0", () => {
    expect([decimalText(-1.234, 2), decimalText(-0.0004, 3)]).toEqual(["−1.23", "0.000"]);
  });

  test.each<[[number, number] | null, Metric["format"], string | null]>([
    [[0.1, 0.25], "score", "0.100–0.250"],
    [[0.1, 0.25], "percent", "10.0–25.0"],
    [[900, 1100], "ms", "900–1,100"],
    [[3.5, 4], "level", "3.50–4.00"],
    [[1, 2.5], "usd", "$1.00–$2.50"],
    [null, "percent", null],
  ])("boundsText(%j, %s) is %j", (interval, format, text) => {
    expect(boundsText(interval, format)).toBe(text);
  });

  test.each<[number, Metric["format"], string]>([
    [0.75, "score", "0.75"],
    [0.995, "score", "0.995"],
    [0.75, "percent", "75%"],
    [-0.5, "score", "−0.5"],
    [0.0002, "usd", "$0.0002"],
    [4.5, "level", "4.5"],
    [2000, "ms", "2,000\u202fms"],
  ])("tickText(%j, %s) is %j", (value, format, text) => {
    expect(tickText(value, format)).toBe(text);
  });
});

it.each([
  [null, 3, "–"],
  [0, 3, "<0.001"],
  [0.00099, 3, "<0.001"],
  [0.001, 3, "0.001"],
  [0.0461, 3, "0.046"],
  [0.00004, 4, "<0.0001"],
  [1, 3, "1.000"],
] as const)("pText(%s, %d) is %s", (p, digits, text) => {
  expect(pText(p, digits)).toBe(text);
});

test.each([
  [[], 3, ""],
  [["a"], 3, "a"],
  [["a", "b", "c"], 3, "a, b and c"],
  [["a", "b", "c", "d"], 2, "a, b and 2 more"],
])("listed() of %j, at most %d", (names, most, text) => {
  expect(listed(names, most)).toBe(text);
});
