import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { Estimate } from "#shared/contracts/metric.ts";
import { type HeatMap, heatMapSvg, heatRange, heatStep } from "./heat-map.ts";
import { type SweepLine, sweepLineSvg } from "./sweep-line.ts";

const cell = (value: number | null, variants = value === null ? 0 : 2) => ({
  value,
  variants,
  of: 2,
});

const map: HeatMap = {
  x: { name: "top_p", values: [null, 1] },
  y: { name: "temperature", values: [0, 0.5, 1] },
  metric: { label: "Overall", format: "score" },
  rows: [
    [cell(0.9), cell(0.8)],
    [cell(0.5), cell(0.7)],
    [cell(0.99, 1), cell(null)],
  ],
};

const estimate = (value: number, interval: [number, number] | null): Estimate => ({
  value,
  interval,
  n: 10,
  coverage: 1,
});

const line: SweepLine = {
  parameter: "temperature",
  metric: { label: "Overall", format: "score" },
  points: [
    { label: "unset", estimate: estimate(0.7, [0.6, 0.8]) },
    { label: "0", estimate: null },
    { label: "1", estimate: estimate(0.5, null) },
  ],
};

const parsed = (svg: string) => {
  const drawing = new JSDOM(svg).window.document.querySelector("svg");
  if (!drawing) throw new Error("no drawing");
  expect(drawing.querySelectorAll("style, script, [style]")).toHaveLength(0);
  return drawing;
};

it("heatRange() covers only complete cells", () => {
  expect(heatRange(map)).toEqual([0.5, 0.9]);
  expect(heatRange({ rows: [[cell(null), cell(0.3, 1)]] })).toBeNull();
});

it.each([
  [0.5, 0],
  [0.7, 3],
  [0.9, 6],
])("heatStep() of %f is %i", (value, step) => {
  expect(heatStep(value, [0.5, 0.9])).toBe(step);
});

it("heatStep() is the middle step if all values are equal", () => {
  expect(heatStep(0.5, [0.5, 0.5])).toBe(3);
});

it("heatMapSvg() prints every value, and colours only complete cells", () => {
  const drawing = parsed(heatMapSvg(map));
  const texts = [...drawing.querySelectorAll("text")].map((text) => text.textContent);
  for (const shown of ["0.900", "0.800", "0.500", "0.700", "0.990*", "–", "unset", "top_p →"]) {
    expect(texts).toContain(shown);
  }
  const shaded = [...drawing.querySelectorAll("[fill^='var(--heat']")];
  expect(shaded.map((cell) => cell.getAttribute("fill")).sort()).toEqual([
    "var(--heat-0)",
    "var(--heat-3)",
    "var(--heat-5)",
    "var(--heat-6)",
  ]);
  expect(drawing.getAttribute("aria-label")).toBe(
    "Overall by temperature (rows) and top_p (columns): 0.500 to 0.900. The table below has all values.",
  );
});

it("heatMapSvg() draws cells without measured values", () => {
  const rows = map.rows.map((row) => row.map(() => cell(null)));
  expect(parsed(heatMapSvg({ ...map, rows })).getAttribute("aria-label")).toContain(
    "nothing measured",
  );
});

it("sweepLineSvg() lists each value, and draws no line across a gap", () => {
  const drawing = parsed(sweepLineSvg(line));
  expect(drawing.getAttribute("aria-label")).toBe(
    "Overall by temperature: unset 0.700 (0.600–0.800); 0 –; 1 0.500",
  );
  expect(drawing.querySelectorAll("circle")).toHaveLength(2);
  const joined = [...drawing.querySelectorAll("path")].map((path) => path.getAttribute("d") ?? "");
  expect(joined.filter((d) => d.includes("L") && d !== "M0,0L0,3")).toEqual([]);
});

it("sweepLineSvg() draws levels on a scale of 1–5", () => {
  const points = [{ label: "0", estimate: estimate(4.2, [3.9, 4.4]) }];
  const drawing = parsed(
    sweepLineSvg({ ...line, points, metric: { label: "Empathy", format: "level" } }),
  );
  const texts = [...drawing.querySelectorAll("text")].map((text) => text.textContent);
  expect(texts).toEqual(expect.arrayContaining(["1", "2", "3", "4", "5"]));
  expect(drawing.getAttribute("aria-label")).toContain("4.20/5 (3.90–4.40/5)");
});

it("sweepLineSvg() labels only some of many values", () => {
  const points = Array.from({ length: 40 }, (_, i) => ({
    label: `v${i}`,
    estimate: estimate(i, null),
  }));
  const drawing = parsed(sweepLineSvg({ ...line, points, metric: { label: "ms", format: "ms" } }));
  const names = [...drawing.querySelectorAll("text")].filter((text) =>
    /^v\d/.test(text.textContent ?? ""),
  );
  expect(names).toHaveLength(8);
});
