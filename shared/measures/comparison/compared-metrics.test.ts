import { expect, it } from "vitest";
import { comparedMetrics } from "./compared-metrics.ts";
import { sharedColumn } from "./score-table.ts";

const metric = (id: string, better: "higher" | "lower" = "higher") => ({
  id,
  label: id,
  unit: "ratio" as const,
  better,
  format: "score" as const,
  definition: id,
});

const total = { parts: ["hardF1", "time"], value: () => 1 };

it("comparedMetrics() returns metrics of the catalogue, with the definitions of composites", () => {
  const found = comparedMetrics(
    {
      headline: "total",
      boardMetrics: ["time"],
      composites: { total },
      metrics: [metric("total"), metric("f1"), metric("time", "lower"), metric("costPer1kUsd")],
    },
    ["total", "f1", "hardF1"],
  );
  expect(found.headline).toBe("total");
  expect(found.bySample.map(({ id, composite }) => [id, composite])).toEqual([
    ["total", total],
    ["f1", undefined],
  ]);
  expect(found.byRun.map(({ id }) => id)).toEqual(["total", "time", "costPer1kUsd"]);
});

it("sharedColumn() returns the first column with equal values", () => {
  const known: Float64Array[] = [];
  const first = Float64Array.of(1, 0);
  expect(sharedColumn(known, first)).toBe(first);
  expect(sharedColumn(known, Float64Array.of(1, 0))).toBe(first);
  for (const other of [Float64Array.of(1, 1), Float64Array.of(1), Float64Array.of(1, 0, 0)]) {
    expect(sharedColumn(known, other)).toBe(other);
  }
  expect(known).toHaveLength(4);
});
