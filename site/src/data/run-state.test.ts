import { expect, it } from "vitest";
import type { RunJudging } from "#shared/contracts/judging.ts";
import { warningsOf } from "./run-state.ts";

const aRun = (coverage: number, n: number, judging: RunJudging | null = null) => ({
  ...{ headline: "m", judging },
  metrics: { m: { value: 0.5, interval: null, n, coverage } },
});

it("warningsOf() has none where samples are many and measured", () => {
  expect(warningsOf(aRun(1, 60))).toEqual([]);
});

it("warningsOf() lays missing scores of a judged run on model and judges", () => {
  const [model] = warningsOf(aRun(0.9, 60));
  expect(model).toMatch(/^The model answered only 90\.0% of the samples\./);
  const [both] = warningsOf(aRun(0.9, 60, { judges: {}, stages: {} }));
  expect(both).toMatch(/^Only 90\.0% of the samples were answered and judged\./);
});

it("warningsOf() says that samples are few", () => {
  expect(warningsOf(aRun(1, 12))).toEqual([
    "Only 12 samples: read every number here with its interval.",
  ]);
});
