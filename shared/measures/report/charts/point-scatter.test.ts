import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import { pointScatter, pointsText, shareHistogram } from "./point-scatter.ts";

type Point = RunPoints["points"][number];

function points(scores: readonly (number | null)[], latencies: readonly number[], answers = 0) {
  const given = scores.map((score, k): Point => {
    const tokens = { inputTokens: null, outputTokens: null };
    return { id: `${k}`, score, latencyMs: latencies[k] ?? null, ...tokens, features: {} };
  });
  return {
    answers: answers || given.length,
    points: given,
    latency: [],
    picks: [],
  } satisfies RunPoints;
}

const axes = {
  x: { label: "Latency", format: "ms", of: (point: Point) => point.latencyMs },
  y: { label: "EQS", format: "score", of: (point: Point) => point.score },
} as const;

test("pointScatter() draws the answers with both quantities", () => {
  const [block] = pointScatter("T", points([1, null, 0.5, 0.2], [10, 20, 30]), axes);
  expect(block).toMatchObject({
    title: "T",
    points: [
      { x: 10, y: 1, label: "0", tone: "neutral" },
      { x: 30, y: 0.5, label: "2", tone: "neutral" },
    ],
  });
});

test.each([
  [[10, 50], "log"],
  [[10, 200], "log"],
  [[0, 200], "linear"],
])("pointScatter() puts %j on a %s axis", (latencies, scale) => {
  const [block] = pointScatter("T", points([1, 1], latencies), axes);
  expect(block?.x.scale).toBe(scale);
});

test("pointScatter() keeps counts on a linear axis", () => {
  const x = { ...axes.x, format: "count" } as const;
  const [block] = pointScatter("T", points([1, 1], [1, 200]), { ...axes, x });
  expect(block?.x.scale).toBe("linear");
});

test("pointScatter() is empty for fewer than two answers", () => {
  expect(pointScatter("T", null, axes)).toEqual([]);
  expect(pointScatter("T", points([1, null], [1, 2]), axes)).toEqual([]);
});

test("pointScatter() names the total number of answers", () => {
  const part = points([1, 1, null], [1, 2, 3], 1234);
  expect(pointScatter("T", part, axes)[0]?.title).toBe("T, 2 random answers of 1,234");
  expect(pointsText(points([1], [1]), 1)).toBe("");
});

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

test("shareHistogram() counts shares in twenty bins; the last one includes 1", () => {
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

test("shareHistogram() is empty for fewer than two answers", () => {
  expect(shareHistogram("Scores", null, axis, [])).toEqual([]);
  expect(shareHistogram("Scores", pointsOf([0.5, null]), axis, [])).toEqual([]);
});

test("shareHistogram() counts each value once, in adjacent bins", () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 });
  fc.assert(
    fc.property(scores, (values) => {
      const { bins } = shareHistogram("Scores", pointsOf(values), axis, [])[0]!;
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bins.slice(1).map(({ from }) => from)).toEqual(bins.slice(0, -1).map(({ to }) => to));
    }),
  );
});
