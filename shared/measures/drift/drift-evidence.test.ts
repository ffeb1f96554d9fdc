import { expect, it } from "vitest";
import { driftEvidence, isDrift } from "./drift-evidence.ts";

it("driftEvidence() needs an e-value of 400, at any re-evaluation", () => {
  expect(isDrift(driftEvidence(400), -0.1)).toBe(true);
  expect(isDrift(driftEvidence(399), -0.1)).toBe(false);
});

it.each([
  [20, -0.01, true],
  [20, 0.01, true],
  [19.9, -0.5, false],
  [1e9, 0.009, false],
])("isDrift(%f, %f) is %s", (evidence, difference, expected) => {
  expect(isDrift(evidence, difference)).toBe(expected);
});
