import { expect, it } from "vitest";
import { coveredScores } from "./table-scores.ts";

const scores = { ids: ["a", "b", "c"], clusters: null, lacking: [], values: {} };

it("coveredScores() omits samples that were not covered", () => {
  expect(coveredScores(scores, [{ from: 0, to: 2 }], 1).lacking).toEqual([]);
  const covered = [
    { from: 0, to: 0 },
    { from: 2, to: 2 },
  ];
  expect(coveredScores(scores, covered, 1).lacking).toEqual([1]);
  expect(coveredScores({ ...scores, lacking: [0] }, covered, 1).lacking).toEqual([0, 1]);
});

it("coveredScores() requires all repeats of a sample", () => {
  const covered = [
    { from: 0, to: 2 },
    { from: 4, to: 5 },
  ];
  expect(coveredScores(scores, covered, 2).lacking).toEqual([1]);
  expect(coveredScores(scores, [], 2).lacking).toEqual([0, 1, 2]);
});
