import { expect, it } from "vitest";
import { aComparison } from "./__fixtures__/a-comparison.ts";
import { overviewCsv, pairsCsv } from "./compare-csv.ts";
import { viewNamed } from "./compared.ts";
import { overviewOf } from "./overview.ts";

const compared = aComparison();
const cost = viewNamed(compared, "cost");

it("overviewOf() has a view's metrics in order; tested ones use the common samples", () => {
  const { columns, rows, unmeasured } = overviewOf(compared, cost);
  expect(columns.map(({ metric, samples }) => [metric.id, samples])).toEqual([
    ["p95", null],
    ["main", 10],
  ]);
  expect(unmeasured.map(({ id }) => id)).toEqual(["no"]);
  expect(rows.map(({ run, cells }) => [run.run, ...cells.map(({ value }) => value)])).toEqual([
    ["b", 200, 0.9],
    ["a", 100, 0.8],
    ["c", null, 0.5],
  ]);
});

it("overviewOf() marks values that differ from the best of their column", () => {
  const { rows } = overviewOf(compared, { metrics: ["main"] });
  expect(rows.map(({ cells }) => cells[0]?.stars)).toEqual(["", "", "**"]);
});

it("overviewOf() has no column for unknown metrics", () => {
  const { columns, unmeasured } = overviewOf(compared, { metrics: ["else"] });
  expect([columns, unmeasured.map(({ id }) => id)]).toEqual([[], ["else"]]);
});

it("overviewCsv() has a line for each run, with empty cells for missing values", () => {
  const lines = overviewCsv(compared, cost).trimEnd().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(
    "run,model,slug,simulated,provenance,p95,p95_low,p95_high,main,main_low,main_high",
  );
  expect(lines[3]).toMatch(/^c,Gamma,acme\/c,true,self-reported,,,,0\.5,0\.4,0\.6$/);
});

it("pairsCsv() has a line for each pair, the better run first", () => {
  const [tested] = compared.comparison.metrics;
  if (!tested) throw new Error("the comparison has a metric");
  const lines = pairsCsv(compared, tested).trimEnd().split("\r\n");
  const [head = [], ...pairs] = lines.map((line) => line.split(","));
  expect(pairs.map((pair) => pair.slice(0, 6))).toEqual([
    ["main", "b", "a", "Beta", "Alpha", "0.1"],
    ["main", "b", "c", "Beta", "Gamma", "-0.1"],
    ["main", "a", "c", "Alpha", "Gamma", "-0.1"],
  ]);
  expect(pairs.every(({ length }) => length === head.length)).toBe(true);
});
