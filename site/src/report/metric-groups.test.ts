import { expect, it } from "vitest";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { metricGroups } from "./metric-groups.ts";

const known: Estimate = { value: 0.5, interval: null, n: 2, coverage: 1 };
const unknown: Estimate = { value: null, interval: null, n: 0, coverage: 0 };

/** Ids of the metric groups of a run of `slots` with these metrics. */
function groupsOf(metrics: Record<string, Estimate>) {
  const suite = { ...suiteById("slots"), boardMetrics: ["precision", "recall"] };
  const report = { run: { headline: "f1", metrics }, suite } as unknown as RunReport;
  const { key, others } = metricGroups(report);
  const ids = (rows: typeof key) => rows.map(({ metric }) => metric.id);
  return { key: ids(key), others: others.map(({ title, rows }) => [title, ...ids(rows)]) };
}

it("metricGroups() lists headline, board and graded metrics first, and all others by unit", () => {
  const bleu1 = { ...known, grade: "B" };
  const metrics = { latencyP95: known, tokenF1: known, f1: known, recall: known, bleu1 };
  expect(groupsOf(metrics)).toEqual({
    key: ["f1", "recall", "bleu1"],
    others: [
      ["Scores and rates", "tokenF1"],
      ["Time", "latencyP95"],
    ],
  });
});

it("metricGroups() omits metrics without samples, except the headline", () => {
  expect(groupsOf({ f1: unknown, precision: unknown, valueF1: unknown })).toEqual({
    key: ["f1"],
    others: [],
  });
});

it("metricGroups() keeps metrics whose samples had nothing to measure", () => {
  expect(groupsOf({ recall: { ...unknown, n: 3 } }).key).toEqual(["recall"]);
});
