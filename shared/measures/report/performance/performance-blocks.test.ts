import { expect, test } from "vitest";
import type { Estimate } from "../../../contracts/metric.ts";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import { latencyBlocks } from "./performance-blocks.ts";

const estimate = (value: number | null): Estimate => ({ value, interval: null, n: 3, coverage: 1 });
const metrics = {
  latencyP50: estimate(120),
  latencyP95: estimate(300),
  latencyP99: estimate(null),
};
const run = { label: "EQS", format: "score" } as const;
const points: RunPoints = {
  answers: 2,
  points: [100, 300].map((latencyMs, k) => ({
    id: `${k}`,
    score: k / 2,
    latencyMs,
    inputTokens: null,
    outputTokens: null,
    features: {},
  })),
  latency: [
    { from: 100, to: 200, count: 1 },
    { from: 200, to: 300, count: 1 },
  ],
  picks: [],
};

test("latencyBlocks() draws all latencies with percentiles, and latency against score", () => {
  expect(latencyBlocks(metrics, points, run)).toMatchObject([
    {
      kind: "histogram",
      bins: points.latency,
      x: { scale: "log" },
      lines: [
        { x: 120, label: "p50" },
        { x: 300, label: "p95" },
      ],
    },
    { kind: "scatter", title: "Latency against EQS", y: { label: "EQS", format: "score" } },
  ]);
});

test("latencyBlocks() draws bins that begin at 0 on a linear axis", () => {
  const latency = [{ from: 0, to: 100, count: 1 }];
  expect(latencyBlocks(metrics, { ...points, latency }, run)[0]).toMatchObject({
    x: { scale: "linear" },
  });
});

test("latencyBlocks() is empty without points", () => {
  expect(latencyBlocks(metrics, null, run)).toEqual([]);
  const empty = { answers: 0, points: [], latency: [], picks: [] };
  expect(latencyBlocks(metrics, empty, run)).toEqual([]);
});
