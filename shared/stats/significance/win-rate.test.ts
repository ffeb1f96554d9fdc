import { expect, it } from "vitest";
import { winRate } from "./win-rate.ts";

it.each([
  ["wins, ties and losses", [1, 0.5, 0], [0, 0.5, 0.5], 0.5],
  ["wins alone", [1, 1], [0, 0], 1],
  ["a tie but for rounding", [0.1 + 0.2], [0.3], 0.5],
  ["nothing", [], [], null],
])("winRate() of %s", (_, a, b, rate) => {
  expect(winRate(a, b)).toBe(rate);
});
