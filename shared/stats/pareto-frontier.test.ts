import { expect, it } from "vitest";
import { paretoFrontier } from "./pareto-frontier.ts";

it("paretoFrontier() keeps the non-dominated trades", () => {
  const trades = [
    { gain: 0.9, cost: 10 },
    { gain: 0.8, cost: 5 },
    { gain: 0.8, cost: 6 },
    { gain: 0.7, cost: 5 },
    { gain: 0.1, cost: 1 },
  ];
  expect(paretoFrontier(trades)).toEqual([true, true, false, false, true]);
});

it("paretoFrontier() keeps equal trades", () => {
  const same = { gain: 0.5, cost: 2 };
  expect(paretoFrontier([same, same])).toEqual([true, true]);
  const rounded = [
    { gain: 0.1 + 0.2, cost: 1.21 },
    { gain: 0.3, cost: 1.21 },
    { gain: 0.3, cost: 1.1 * 1.1 },
  ];
  expect(paretoFrontier(rounded)).toEqual([true, true, true]);
  expect(paretoFrontier([])).toEqual([]);
});
