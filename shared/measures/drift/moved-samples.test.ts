import { expect, it } from "vitest";
import { movedSamples } from "./moved-samples.ts";

const runs = (...scores: number[][]) => scores.map((ofRun) => Float64Array.from(ofRun));

it("movedSamples() returns samples outside their earlier range, the largest change first", () => {
  const found = movedSamples(runs([1, 0.9, 0.5], [1, 0.9, 0.5], [0.2, 0.9, 0.1]), -0.4, 1);
  expect(found).toEqual([
    { at: 0, before: 1, since: 0.2 },
    { at: 2, before: 0.5, since: 0.1 },
  ]);
});

it("movedSamples() omits changes that are opposite, small or within the usual range", () => {
  const before = [
    [0.2, 0.9, 0.9, 0.4],
    [0.2, 0.9, 0.1, 0.4],
  ];
  const since = [0.9, 0.88, 0.05, Number.NaN];
  expect(movedSamples(runs(...before, ...before, since), -0.1, 1)).toEqual([]);
});

it("movedSamples() finds samples that changed several runs ago", () => {
  const [before, since] = [
    [1, 1],
    [0, 1],
  ];
  const found = movedSamples(runs(before!, before!, before!, ...Array(5).fill(since)), -0.5, 5);
  expect(found).toEqual([{ at: 0, before: 1, since: 0 }]);
});

it("movedSamples() returns at most twenty samples", () => {
  const fallen = movedSamples(runs(Array(50).fill(1), Array(50).fill(0)), -1, 1);
  expect(fallen).toHaveLength(20);
});
