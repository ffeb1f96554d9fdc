import { expect, it } from "vitest";
import { plannedTest } from "./planned-test-text.ts";

const planned = { metric: "eqs", margin: 0.02, against: "run_01" };
const run = {
  options: { plannedTest: planned },
  dataset: { name: "stock", version: "3f9a1c2b7d10aaaa", samples: 72 },
  progress: { total: 72, done: 72, failed: 0 },
  parent: null,
  status: "finished",
} as const;

it("a planned test is a sentence, and what differs from it is listed", () => {
  expect(plannedTest(run)).toEqual({
    against: "run_01",
    text: "eqs no worse than run_01 by more than 0.02, on 72 samples of version 3f9a1c2b7d10",
    deviations: [],
  });
  const changed = {
    ...run,
    status: "cancelled",
    progress: { total: 72, done: 70, failed: 2 },
    parent: "run_00",
  } as const;
  expect(plannedTest(changed)?.deviations).toEqual([
    "the run is cancelled",
    "70 of 72 samples were evaluated",
    "2 of 72 requests failed, and count as 0",
    "it was scored again after its answers were known",
  ]);
});

it.each([{}, { plannedTest: null }, { plannedTest: { metric: "eqs" } }])(
  "%j plans none",
  (options) => {
    expect(plannedTest({ ...run, options })).toBeNull();
  },
);
