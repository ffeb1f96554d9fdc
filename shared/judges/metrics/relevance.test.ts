import { expect, it } from "vitest";
import { anExchange } from "../__fixtures__/judgments.ts";
import { clippedCosine, relevance } from "./relevance.ts";

it.each<[string, number[], number[], number]>([
  ["the same direction", [1, 2], [2, 4], 1],
  ["a right angle", [1, 0], [0, 1], 0],
  ["opposite directions", [1, 0], [-1, 0], 0],
  ["half a right angle", [1, 0], [1, 1], Math.SQRT1_2],
  ["a zero vector", [0, 0], [1, 1], 0],
  ["other dimensions", [1], [1, 1], 0],
  ["none", [], [], 0],
])("clippedCosine() of %s", (_, a, b, wanted) => {
  expect(clippedCosine(a, b)).toBeCloseTo(wanted, 12);
});

it("relevance compares query and answer, and clips recorded values", () => {
  const exchange = anExchange();
  expect(relevance.texts(exchange)).toEqual([exchange.query, exchange.answer]);
  expect(relevance.compare([1, 0], [-1, 0])).toEqual({ relevance: 0 });
  expect(relevance.read({ relevance: -0.4 }, exchange).value).toBe(0);
});
