import { expect, it } from "vitest";
import { jointRanks } from "./joint-ranks.ts";

const better = Array.from({ length: 200 }, (_, i) => (i % 10 < 8 ? 1 : 0));
const worse = Array.from({ length: 200 }, (_, i) => (i % 10 < 3 ? 1 : 0));

it("jointRanks() puts a clearly better model first in every draw", () => {
  expect(jointRanks([worse, better], "board")).toEqual([
    { interval: [2, 2], best: 0 },
    { interval: [1, 1], best: 1 },
  ]);
});

it("jointRanks() gives equal models the same rank and a share of the first place", () => {
  expect(jointRanks([better, better, worse], "board")).toEqual([
    { interval: [1, 1], best: 0.5 },
    { interval: [1, 1], best: 0.5 },
    { interval: [3, 3], best: 0 },
  ]);
});

it("jointRanks() leaves models open that differ by chance alone, the shares adding up to 1", () => {
  const a = Array.from({ length: 60 }, (_, i) => (i * 7) % 11);
  const b = Array.from({ length: 60 }, (_, i) => (i * 5) % 11);
  const spreads = jointRanks([a, b], "board");
  expect(spreads.map(({ interval }) => interval)).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(spreads.reduce((sum, { best }) => sum + best, 0)).toBeCloseTo(1, 9);
  expect(jointRanks([a, b], "board")).toEqual(spreads);
});

it("jointRanks() knows nothing below two samples", () => {
  expect(jointRanks([[1], [0]], "board")).toEqual([
    { interval: [1, 2], best: 0.5 },
    { interval: [1, 2], best: 0.5 },
  ]);
  expect(jointRanks([], "board")).toEqual([]);
});
