import { expect, it } from "vitest";
import { driftEvidence, isDrift } from "./drift-evidence.ts";

it("driftEvidence() of any number of steps without evidence stays below 1", () => {
  let evidence = 0;
  for (let rerun = 1; rerun <= 1_000; rerun++) evidence = driftEvidence(evidence, rerun, 1);
  expect(evidence).toBeCloseTo(1_000 / 1_001, 10);
});

it("driftEvidence() needs a larger e-value in a later step", () => {
  expect(driftEvidence(0, 1, 40)).toBe(20);
  expect(driftEvidence(0.75, 4, 385)).toBe(20);
});

it.each([
  [20, -0.01, true],
  [20, 0.01, true],
  [19.9, -0.5, false],
  [1e9, 0.009, false],
])("isDrift(%f, %f) is %s", (evidence, difference, expected) => {
  expect(isDrift(evidence, difference)).toBe(expected);
});
