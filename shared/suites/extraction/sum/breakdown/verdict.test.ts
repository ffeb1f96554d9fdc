import { expect, test } from "vitest";
import { eqsBand, recommend } from "./verdict.ts";

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
