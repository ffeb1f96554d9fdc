import { expect, it } from "vitest";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { coverageWarning, sizeWarning, statusLabel } from "./run-state.ts";

const aRun = (coverage: number, n: number, judging: RunJudging | null = null) => ({
  headline: "m",
  judging,
  metrics: { m: { value: 0.5, interval: null, n, coverage } },
  progress: { total: n, done: n, failed: Math.round((1 - coverage) * n) },
});

it("coverageWarning() and sizeWarning() are null for many covered samples", () => {
  expect([coverageWarning(aRun(1, 60)), sizeWarning(aRun(1, 60))]).toEqual([null, null]);
  const unfinished = { ...aRun(0, 0), metrics: null };
  expect([coverageWarning(unfinished), sizeWarning(unfinished)]).toEqual([null, null]);
});

it("coverageWarning() blames missing scores of a judged run on the model or its judges", () => {
  expect(coverageWarning(aRun(0.9, 60))).toEqual({
    lead: "6 of 60 requests failed.",
    text: expect.stringMatching(/^The model answered only 90\.0% of the samples\./),
  });
  const judged = aRun(0.9, 60, { judges: {}, stages: {} });
  const text = expect.stringMatching(/^Only 90\.0% of the samples were answered and judged\./);
  expect(coverageWarning(judged)).toEqual({ lead: "6 of 60 requests failed.", text });
  const unjudged = { ...judged, progress: { total: 60, done: 60, failed: 0 } };
  expect(coverageWarning(unjudged)).toEqual({ lead: "Scores are missing.", text });
});

it("coverageWarning() says that nothing was answered and what to check", () => {
  expect(coverageWarning(aRun(0, 60))).toMatchObject({
    lead: "Nothing was answered.",
    text: expect.stringMatching(/^All 60 requests failed.*address, its key and the time/),
  });
});

it("statusLabel() of a run without answers says that nothing was answered", () => {
  const finished = { ...aRun(0, 60), status: "finished" as const };
  expect(statusLabel(finished)).toBe("Finished, nothing answered");
  expect(statusLabel({ ...finished, ...aRun(0.1, 60) })).toBe("Finished");
  expect(statusLabel({ ...finished, status: "failed" })).toBe("Failed");
});

it("sizeWarning() warns of fewer than 50 samples", () => {
  expect(sizeWarning(aRun(1, 40))).toEqual({
    lead: "Only 40 samples:",
    text: "read every number here with its interval.",
  });
  expect(sizeWarning(aRun(1, 50))).toBeNull();
  expect(sizeWarning(aRun(1, 300), 12)?.lead).toBe("Only 12 sources of samples:");
  expect(sizeWarning(aRun(1, 300), 60)).toBeNull();
});
