import { expect, test } from "vitest";
import { tierOf } from "../../measures/report/figures/tier.ts";
import { eqsBand, gradeOf, recommend, thresholds } from "./thresholds.ts";

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

test.each([
  ["validity", 0.98, "A+"],
  ["validity", 0.9799, "A"],
  ["validity", 0.1, "F"],
  ["partialF1", 0.5, "D"],
  ["exactMatch", 0.35, "C"],
  ["hallucinationRate", 0.05, "A+"],
  ["hallucinationRate", 0.31, "F"],
  ["latencyP95", 8000, "C"],
  ["eqs", 1, undefined],
  ["validity", null, undefined],
])("gradeOf(%s, %s) is %s", (metric, value, grade) => {
  expect(gradeOf(metric, value)).toBe(grade);
});

test.each([
  [0, "Poor"],
  [0.6, "Moderate"],
  [0.7499, "Moderate"],
  [0.75, "Good"],
  [0.9, "Excellent"],
  [1, "Excellent"],
])("eqsBand(%d) is %s", (eqs, band) => {
  expect(eqsBand(eqs)).toBe(band);
});

test.each([
  [0.95, 0.01, "deploy without human review"],
  [0.95, 0.02, "spot-check"],
  [0.8, 0.05, "mandatory review"],
  [0.95, 0.1, "not recommended"],
  [0.69, 0, "not recommended"],
])("recommend(%d, %d) is %s", (eqs, hallucinationRate, advice) => {
  expect(recommend(eqs, hallucinationRate)).toBe(advice);
});
