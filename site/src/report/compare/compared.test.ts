import { expect, it } from "vitest";
import { aComparison } from "./__fixtures__/a-comparison.ts";
import {
  markedNames,
  rankedRuns,
  runNames,
  runPath,
  samplePath,
  testedMetric,
  viewNamed,
  viewsOf,
} from "./compared.ts";

const compared = aComparison();
const { comparison } = compared;

/** The comparison with the same name for all models. */
const alike = (name: string) => ({
  runs: comparison.runs.map((run) => ({ ...run, model: { ...run.model, name } })),
});

it("runNames() adds ids to equal names", () => {
  expect([...runNames(comparison).values()]).toEqual(["Alpha", "Beta", "Gamma"]);
  expect([...runNames(alike("X")).values()]).toEqual(["X (a)", "X (b)", "X (c)"]);
});

it("markedNames() keeps the marks for simulated and self-reported, even if the name is shortened", () => {
  expect(markedNames(comparison).get("c")).toBe("Gamma (simulated, self-reported)");
  expect(markedNames(comparison).get("a")).toBe("Alpha");
  const short = markedNames(alike("x".repeat(50)), { isShort: true });
  expect(short.get("c")).toBe(`${"x".repeat(29)}… (simulated, self-reported)`);
});

it("markedNames() omits the mark for simulated if all runs are", () => {
  const runs = comparison.runs.map((run) => ({
    ...run,
    model: { ...run.model, simulated: true },
  }));
  expect([...markedNames({ runs }).values()]).toEqual(["Alpha", "Beta", "Gamma (self-reported)"]);
});

it("rankedRuns() sorts by the headline, or keeps the given order without common samples", () => {
  expect(rankedRuns(comparison).map(({ run }) => run)).toEqual(["b", "a", "c"]);
  const untested = rankedRuns({ ...comparison, metrics: [] });
  expect(untested.map(({ run }) => run)).toEqual(["a", "b", "c"]);
});

it("viewsOf() starts with all tested metrics, which is also the view for an unknown id", () => {
  expect(viewsOf(compared).map(({ id }) => id)).toEqual(["", "cost"]);
  expect(viewNamed(compared, "cost").label).toBe("Cost");
  expect(viewNamed(compared, "else").metrics).toEqual(["main"]);
  expect(viewNamed(compared, null).metrics).toEqual(["main"]);
});

it.each([
  ["main", "main"],
  ["else", "main"],
  [null, "main"],
])("testedMetric() of %j is %s", (id, metric) => {
  expect(testedMetric(compared, id)?.metric).toBe(metric);
});

it("testedMetric() is null without a common sample", () => {
  expect(testedMetric(aComparison({ metrics: [] }), "main")).toBeNull();
});

it("runPath() and samplePath() encode ids", () => {
  expect(runPath("a&b")).toBe("/run/?id=a%26b");
  expect(samplePath("a", "x/y z")).toBe("/run/samples/?run=a&sample=x%2Fy+z");
  expect(samplePath("a", "x", "b&c")).toBe("/run/samples/?run=a&sample=x&with=b%26c");
});
