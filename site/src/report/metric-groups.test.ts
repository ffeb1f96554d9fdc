import { expect, it } from "vitest";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { metricGroups } from "./metric-groups.ts";

const known: Estimate = { value: 0.5, interval: null, n: 2, coverage: 1 };
const unknown: Estimate = { value: null, interval: null, n: 0, coverage: 0 };

/** The groups of a run of `slots` with these metrics, by their ids. */
function groupsOf(metrics: Record<string, Estimate>) {
  const suite = { ...suiteById("slots"), boardMetrics: ["precision", "recall"] };
  const report = { run: { headline: "f1", metrics }, suite } as unknown as RunReport;
  const { key, others } = metricGroups(report);
  const ids = (rows: typeof key) => rows.map(({ metric }) => metric.id);
  return { key: ids(key), others: others.map(({ title, rows }) => [title, ...ids(rows)]) };
}

it("metricGroups() puts first what ranks, stands on boards or is graded, all else by unit", () => {
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

it("metricGroups() leaves out what rests on no sample, but not the headline", () => {
  expect(groupsOf({ f1: unknown, precision: unknown, valueF1: unknown })).toEqual({
    key: ["f1"],
    others: [],
  });
});

it("metricGroups() keeps what was looked for in samples and not found", () => {
  expect(groupsOf({ recall: { ...unknown, n: 3 } }).key).toEqual(["recall"]);
});
