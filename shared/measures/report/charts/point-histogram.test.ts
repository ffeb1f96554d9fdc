import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunPoints } from "../../../contracts/run-points.ts";
import { shareHistogram } from "./point-histogram.ts";

const axis = {
  label: "Score",
  format: "score" as const,
  of: ({ score }: RunPoints["points"][number]) => score,
};
const pointsOf = (scores: readonly (number | null)[]): RunPoints => ({
  answers: scores.length,
  latency: [],
  picks: [],
  points: scores.map((score, i) => ({
    id: `${i}`,
    score,
    latencyMs: null,
    inputTokens: null,
    outputTokens: null,
    features: {},
  })),
});

test("shareHistogram() counts shares by twentieths, 1 among the last", () => {
  const lines = [{ x: 0.5, label: "median" }];
  const [block] = shareHistogram("Scores", pointsOf([0, 0.04, 0.05, 1, 0.97, null]), axis, lines);
  const counted = block!.bins.flatMap(({ from, count }) => (count > 0 ? [[from, count]] : []));
  expect(counted).toEqual([
    [0, 2],
    [0.05, 1],
    [0.95, 2],
  ]);
  expect(block).toMatchObject({ lines, x: { label: "Score", scale: "linear" }, unit: "answers" });
});

test("shareHistogram() is nothing of fewer than two answers", () => {
  expect(shareHistogram("Scores", null, axis, [])).toEqual([]);
  expect(shareHistogram("Scores", pointsOf([0.5, null]), axis, [])).toEqual([]);
});

test("shareHistogram() counts each value once, in bins that join", () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 });
  fc.assert(
    fc.property(scores, (values) => {
      const { bins } = shareHistogram("Scores", pointsOf(values), axis, [])[0]!;
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bins.slice(1).map(({ from }) => from)).toEqual(bins.slice(0, -1).map(({ to }) => to));
    }),
  );
});
