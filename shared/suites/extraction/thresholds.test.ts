import { expect, test } from "vitest";
import { tierOf } from "../../measures/report/tier.ts";
import { thresholds } from "./thresholds.ts";

test.each([
  ["eqs", 0.9, "excellence"],
  ["eqs", 0.87, "target"],
  ["eqs", 0.75, "minimum"],
  ["eqs", 0.7, "fails"],
  ["hallucinationRate", 0.02, "excellence"],
  ["latencyP95", 5001, "fails"],
  ["successRate", null, null],
])("tierOf(%s) at %s is %s", (metric, value, tier) => {
  expect(tierOf(thresholds.find((one) => one.metric === metric)!, value)).toBe(tier);
});
