import { expect, test } from "vitest";
import type { RunPoints } from "../../../contracts/run-points.ts";
import { pointScatter, pointsText } from "./point-scatter.ts";

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

test("pointScatter() draws the answers that have both", () => {
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

test("pointScatter() draws nothing of fewer than two answers", () => {
  expect(pointScatter("T", null, axes)).toEqual([]);
  expect(pointScatter("T", points([1, null], [1, 2]), axes)).toEqual([]);
});

test("pointScatter() says of how many answers its points are a part", () => {
  const part = points([1, 1, null], [1, 2, 3], 1234);
  expect(pointScatter("T", part, axes)[0]?.title).toBe("T, 2 random answers of 1,234");
  expect(pointsText(points([1], [1]), 1)).toBe("");
});
