import { expect, it } from "vitest";
import { comparedMetrics } from "./compared-metrics.ts";

const metric = (id: string, better: "higher" | "lower" = "higher") => ({
  id,
  label: id,
  unit: "ratio" as const,
  better,
  format: "score" as const,
  definition: id,
});

const total = { parts: ["hardF1", "time"], value: () => 1 };

it("comparedMetrics() names what the catalogue has, and by what parts it follows", () => {
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
