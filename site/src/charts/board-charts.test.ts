import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { groupedBarsSvg } from "./grouped-bars.ts";
import { winFill, winShade } from "./matrix.ts";
import { isLog, paretoSvg } from "./pareto.ts";
import type { ModelPoint } from "./parts/model-names.ts";

const hostile = `"><script>alert(1)</script>`;

const aPoint = (label: string, x: number, y: number, isFrontier: boolean): ModelPoint => ({
  label,
  x,
  y,
  isFrontier,
  interval: [y - 0.02, y + 0.02],
  bounds: null,
});

const points = [
  aPoint(hostile, 900, 0.9, true),
  aPoint("Slow", 12_000, 0.8, false),
  aPoint("Fast", 200, 0.7, true),
];
const pareto = {
  points,
  x: { label: "Latency p95", format: "ms" as const },
  y: { label: "EQS", format: "score" as const },
};

const estimate = (value: number) => ({
  value,
  interval: [value, value] as [number, number],
  n: 9,
  coverage: 1,
});
const bars = {
  metrics: [
    { label: "Validity", format: "score" as const },
    { label: "Hallucination rate", format: "percent" as const },
  ],
  groups: [
    { label: hostile, estimates: [estimate(0.9), estimate(0.05)] },
    { label: "B", estimates: [estimate(0.5), undefined] },
  ],
};

const parsed = (svg: string) => new JSDOM(svg).window.document.querySelector("svg");

it.each([
  [
    "paretoSvg()",
    paretoSvg(pareto),
    `EQS against Latency p95, 3 models; on the frontier: Fast 0.700 at 200\u202fms; ${hostile} 0.900 at 900\u202fms`,
  ],
  [
    "groupedBarsSvg()",
    groupedBarsSvg(bars),
    `Key metrics by model. ${hostile}: Validity 0.900, Hallucination rate 5.0%; B: Validity 0.500, Hallucination rate –`,
  ],
])("%s has a text alternative, and no styles or scripts", (_name, svg, label) => {
  const drawing = parsed(svg);
  expect(drawing?.getAttribute("aria-label")).toBe(label);
  expect(drawing?.querySelectorAll("style, script, [style]")).toHaveLength(0);
});

const textsOf = (svg: string) =>
  [...(parsed(svg)?.querySelectorAll("text") ?? [])].map(({ textContent }) => textContent);

it("paretoSvg() draws the intervals of both axes inside its frame", () => {
  const linesOf = (bounds: ModelPoint["bounds"]) => {
    const [first, ...others] = points;
    const svg = paretoSvg({ ...pareto, points: [{ ...first!, bounds }, ...others] });
    const lines = [...(parsed(svg)?.querySelectorAll("line") ?? [])];
    return lines
      .map((line) => ["x1", "x2", "y1", "y2"].map((name) => Number(line.getAttribute(name))))
      .filter(([x1, x2, y1, y2]) => x1 !== x2 && y1 === y2);
  };
  const grid = linesOf(null).length;
  const drawn = linesOf([100, 14_000]);
  expect(drawn).toHaveLength(grid + 1);
  // The interval is the widest of all values, so it takes up nearly the whole width.
  const widths = drawn.map(([x1 = 0, x2 = 0]) => x2 - x1);
  expect(Math.max(...widths)).toBeLessThan(700);
  expect(drawn.every(([x1 = 0]) => x1 > 40)).toBe(true);
});

it("paretoSvg() labels models on the frontier, and others if there is room", () => {
  expect(textsOf(paretoSvg(pareto))).toEqual(
    expect.arrayContaining(["Fast", "Slow", `"><script>alert(1)</script>`]),
  );
  const crowd = Array.from({ length: 30 }, (_, i) =>
    aPoint(`Model ${i}`, 5000 + i, 0.75 + i / 1e4, false),
  );
  const named = textsOf(paretoSvg({ ...pareto, points: [...points, ...crowd] }));
  expect(named).toContain("Fast");
  expect(named.filter((text) => text?.startsWith("Model")).length).toBeLessThan(12);
});

it.each([
  [[200, 12_000], "Latency p95, ms, logarithmic →"],
  [[900, 1100], "Latency p95, ms, logarithmic →"],
  [[0, 1100], "Latency p95, ms, linear →"],
])("paretoSvg() of %j labels the scale of its x axis", (xs, name) => {
  const svg = paretoSvg({ ...pareto, points: xs.map((x, i) => aPoint(`${i}`, x, 0.5, true)) });
  expect(textsOf(svg)).toContain(name);
});

it("paretoSvg() draws models with equal values", () => {
  const same = points.map((point) => ({ ...point, x: 5, y: 0.5, interval: null }));
  expect(paretoSvg({ ...pareto, points: same })).not.toMatch(/NaN|Infinity/);
});

it("isLog() is true for non-empty values without a zero", () => {
  expect([[1, 11], [1, 2], [0, 99], []].map(isLog)).toEqual([true, true, false, false]);
});

it("winFill() has one hue above and one below a half, darker further away, and none at a half", () => {
  expect([0, 0.12, 0.49, 0.5, 0.51, 0.88, 1].map(winFill)).toEqual([
    "var(--cold-6)",
    "var(--cold-6)",
    "var(--cold-0)",
    "var(--surface)",
    "var(--heat-0)",
    "var(--heat-6)",
    "var(--heat-6)",
  ]);
});

it("winShade() has the class of the same colour", () => {
  expect([0, 0.49, 0.5, 0.51, 1].map(winShade)).toEqual(["c6", "c0", "even", "h0", "h6"]);
});
