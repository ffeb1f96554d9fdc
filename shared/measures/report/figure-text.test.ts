import { expect, test } from "vitest";
import type { Metric } from "../../contracts/metric.ts";
import { differenceText, figureText } from "./figure-text.ts";

test.each<[number | null, Metric["format"], string | null]>([
  [0.125, "score", "0.125"],
  [-0.125, "score", "−0.125"],
  [0.125, "percent", "12.5%"],
  [3.5, "level", "3.50"],
  [1234.5, "ms", "1,235 ms"],
  [3, "count", "3"],
  [3.25, "count", "3.3"],
  [0.0123, "usd", "$0.012"],
  [-2, "usd", "−$2.0"],
  [-0.0004, "score", "0.000"],
  [-0.0004, "percent", "0.0%"],
  [null, "score", null],
])("figureText(%j, %s) is %j", (value, format, text) => {
  expect(figureText(value, format)).toBe(text);
});

test.each<[number, Metric["format"], string]>([
  [0.125, "score", "+0.125"],
  [-0.125, "percent", "−12.5 points"],
  [0.01, "percent", "+1.0 points"],
  [-20, "ms", "−20 ms"],
  [0.0001, "score", "0.000"],
  [-0.0001, "score", "0.000"],
])("differenceText(%j, %s) is %j", (difference, format, text) => {
  expect(differenceText(difference, format)).toBe(text);
});
