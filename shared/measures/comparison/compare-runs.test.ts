import { expect, it } from "vitest";
import { scored, tableOf } from "./__fixtures__/table-of.ts";
import { compareRuns } from "./compare-runs.ts";

const estimate = (value: number | null) => ({ value, interval: null, n: 4, coverage: 1 });

const aRun = (run: string, eqs: number[], p95: number, cost: number | null) => ({
  run,
  scores: scored(run, eqs).scores,
  metrics: {
    eqs: estimate(eqs.reduce((sum, score) => sum + score, 0) / eqs.length),
    latencyP95: estimate(p95),
    costPer1kUsd: estimate(cost),
  },
});

const compare = (...runs: ReturnType<typeof aRun>[]) =>
  compareRuns(
    tableOf(runs),
    runs.map((run) => run.metrics),
    metrics,
    runs.map(({ run }) => run).join(),
  );

const metrics = {
  headline: "eqs",
  bySample: [{ id: "eqs", better: "higher" as const }],
  byRun: [
    { id: "eqs", better: "higher" as const },
    { id: "latencyP95", better: "lower" as const },
    { id: "firstByteP50", better: "lower" as const },
  ],
};

const fast = aRun("fast", [0.5, 0.5, 0.5, 1], 100, 2);
const good = aRun("good", [1, 1, 0.5, 1], 900, 5);
const neither = aRun("neither", [0.5, 0.5, 0.5, 0.5], 950, null);

it("compareRuns() returns frontiers, the best by metric, and the samples that differ most", () => {
  const found = compare(fast, good, neither);
  expect(found.runs).toEqual([
    { run: "fast", samples: 4, leftOut: 0 },
    { run: "good", samples: 4, leftOut: 0 },
    { run: "neither", samples: 4, leftOut: 0 },
  ]);
  expect(found.frontiers).toEqual({ latency: ["fast", "good"], cost: ["fast", "good"] });
  expect(found.bestBy).toEqual([
    { metric: "eqs", value: 0.875, runs: ["good"] },
    { metric: "latencyP95", value: 100, runs: ["fast"] },
    { metric: "eqsPerCost", value: 0.3125, runs: ["fast"] },
  ]);
  expect(found.differing.map(({ id }) => id)).toEqual(["s0", "s1", "s3"]);
  expect(found.differing[0]?.scores).toEqual([0.5, 1, 0.5]);
});

it("compareRuns() has no cost frontier without prices", () => {
  expect(compare(neither, neither).frontiers.cost).toBeNull();
});

it("compareRuns() gives the same bytes for the same runs", () => {
  const bytes = () => JSON.stringify(compare(fast, good));
  expect(bytes()).toBe(bytes());
});
