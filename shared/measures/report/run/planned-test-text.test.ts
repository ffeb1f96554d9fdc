import { expect, it } from "vitest";
import type { PlannedResult } from "../../../contracts/submissions/planned-test.ts";
import { plannedTest } from "./planned-test-text.ts";

const planned = { metric: "eqs", margin: 0.02, against: "run_01", samples: 72 };
const metrics = [{ id: "eqs", label: "EQS", format: "score" as const }];
const run = {
  options: { plannedTest: planned },
  dataset: { name: "stock", version: "3f9a1c2b7d10aaaa", samples: 72 },
  progress: { total: 72, done: 72, failed: 0 },
  parent: null,
  status: "finished",
} as const;
const result = {
  base: 0.81,
  tested: 0.813,
  difference: 0.003,
  interval: [-0.01, 0.016] as [number, number],
  samples: 72,
  verdict: "no-worse" as const,
};

it("plannedTest() describes the test in a sentence and lists deviations", () => {
  const plannedResult = { result, note: null, changes: ["temperature (0, 0.6)"] };
  expect(plannedTest({ ...run, plannedResult }, metrics)).toEqual({
    against: "run_01",
    text: "EQS no worse than run_01 by more than 0.02, on 72 samples of version 3f9a1c2b7d10",
    result: "no worse: difference +0.003, 95% interval \u22120.010 to +0.016, on 72 samples",
    deviations: [],
    changes: ["temperature (0, 0.6)"],
    parity: null,
  });
  const parity = { tests: { number: 2, of: 3 }, retries: 1, parity: "acme/hosts" };
  expect(plannedTest({ ...run, plannedResult: { ...plannedResult, ...parity } }, metrics)).toEqual(
    expect.objectContaining({
      text: expect.stringMatching(/; test 2 of 3 that its account planned against that run$/),
      result: expect.stringMatching(
        /; not corrected for other runs, unlike the verdict in parity acme\/hosts$/,
      ),
      deviations: ["failed or missing parts were requested again (retries: 1)"],
      parity: "acme/hosts",
    }),
  );
  const changed = {
    ...run,
    status: "cancelled",
    progress: { total: 72, done: 70, failed: 2 },
    parent: "run_00",
  } as const;
  expect(plannedTest(changed, metrics)).toMatchObject({
    result: "not yet",
    deviations: [
      "the run is cancelled",
      "70 of 72 answers were evaluated",
      "2 of 72 requests failed, and count as 0",
      "it was scored again after its answers were known",
    ],
  });
});

it.each<[string, Partial<PlannedResult>, string]>([
  [
    "worse",
    { result: { ...result, verdict: "worse", difference: -0.1, interval: [-0.15, -0.05] } },
    "worse: difference \u22120.100, 95% interval \u22120.150 to \u22120.050, on 72 samples",
  ],
  [
    "not shown",
    { result: { ...result, verdict: "not-shown", interval: [-0.03, 0.036] } },
    "not shown to be no worse: difference +0.003, 95% interval \u22120.030 to +0.036, on 72 samples",
  ],
  [
    "based on too few samples",
    { result: { ...result, verdict: "too-few-samples", interval: null } },
    "too few samples can be compared: difference +0.003, on 72 samples",
  ],
  ["not computed", { note: "not yet: run run_01 is running" }, "not yet: run run_01 is running"],
])("plannedTest() has a result that is %s", (_, given, text) => {
  const plannedResult = { result: null, note: null, changes: [], ...given };
  expect(plannedTest({ ...run, plannedResult }, metrics)?.result).toBe(text);
});

it("plannedTest() lists uncompared samples as a deviation, and does not count repeats as samples", () => {
  const plannedResult = { result: { ...result, samples: 70 }, note: null, changes: [] };
  const progress = { total: 216, done: 216, failed: 0 };
  expect(plannedTest({ ...run, progress, plannedResult }, metrics)).toMatchObject({
    text: expect.stringContaining("on 72 samples"),
    deviations: ["70 of 72 samples were compared"],
  });
});

it.each([{}, { plannedTest: null }, { plannedTest: { metric: "eqs" } }])(
  "plannedTest() is null for the options %j",
  (options) => {
    expect(plannedTest({ ...run, options }, metrics)).toBeNull();
  },
);
