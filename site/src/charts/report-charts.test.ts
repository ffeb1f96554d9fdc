import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import type {
  BoxesBlock,
  HistogramBlock,
  MatrixBlock,
  RadarBlock,
  ScatterBlock,
  SeriesBlock,
  TreeBlock,
} from "#shared/contracts/report.ts";
import { boxesSvg } from "./boxes.ts";
import { histogramSvg } from "./histogram.ts";
import { matrixSvg } from "./matrix.ts";
import { axisDomain, logTicks } from "./parts/axis-marks.ts";
import { seriesSvg } from "./parts/series.ts";
import { radarSvg } from "./radar.ts";
import { scatterSvg } from "./scatter.ts";
import { namelessTiles, treeMapSvg } from "./tree-map.ts";

const hostile = `"><script>alert(1)</script>`;

const radar: RadarBlock = {
  kind: "radar",
  title: "Components",
  axes: [
    { label: hostile, value: 0.5, interval: [0.4, 0.6] },
    { label: "Recall", value: null, interval: null },
    { label: "F1", value: 1, interval: null },
  ],
};

const scatter: ScatterBlock = {
  kind: "scatter",
  title: "Score against latency",
  legend: [],
  x: { label: "Latency", format: "ms", scale: "log" },
  y: { label: "EQS", format: "score" },
  points: [
    { x: 10, y: 0.2, label: hostile, tone: "neutral" },
    { x: 1000, y: 0.9, label: "b", tone: "neutral" },
  ],
};

const histogram: HistogramBlock = {
  kind: "histogram",
  title: "Latency",
  unit: "answers",
  x: { label: "Latency", format: "ms", scale: "linear" },
  bins: [
    { from: 0, to: 100, count: 3 },
    { from: 100, to: 200, count: 5 },
  ],
  lines: [{ x: 150, label: hostile }],
};

const matrix: MatrixBlock = {
  kind: "matrix",
  title: "Correlations",
  format: "score",
  scale: "diverging",
  rows: { label: "Measure", names: [hostile, "latency"] },
  columns: { label: "Feature", names: ["fields"] },
  cells: [[-0.5], [null]],
};

const boxes: BoxesBlock = {
  kind: "boxes",
  title: "F1 by bin",
  y: { label: "F1", format: "score" },
  groups: [{ label: hostile, n: 9, min: 0, q1: 0.25, median: 0.5, q3: 0.75, max: 1 }],
};

const tree: TreeBlock = {
  kind: "tree",
  title: "Errors",
  unit: "errors",
  groups: [
    {
      label: "Type",
      tone: "fair",
      parts: [
        { label: hostile, count: 3 },
        { label: "none of it", count: 0 },
      ],
    },
  ],
};

const series: SeriesBlock = {
  kind: "series",
  title: "Throughput",
  x: { label: "Seconds", format: "count" },
  y: { label: "Answers a second", format: "count" },
  series: [
    {
      label: hostile,
      tone: "neutral",
      points: [
        { x: 0, y: 4 },
        { x: 1, y: null },
        { x: 2, y: 6 },
      ],
    },
  ],
};

const parsed = (svg: string) => new JSDOM(svg).window.document.querySelector("svg");

describe.each([
  ["radarSvg()", radarSvg(radar), `Components: ${hostile} 0.500 (0.400–0.600); Recall –; F1 1.000`],
  [
    "scatterSvg()",
    scatterSvg(scatter),
    "Score against latency: 2 dots, Latency 10 ms to 1,000 ms, EQS 0.200 to 0.900",
  ],
  [
    "histogramSvg()",
    histogramSvg(histogram),
    `Latency: 8 answers by Latency; most, 5, from 100 ms to 200 ms; ${hostile} 150 ms`,
  ],
  [
    "matrixSvg()",
    matrixSvg(matrix),
    `Correlations: Measure by Feature; from −0.500 (${hostile} × fields) to −0.500 (${hostile} × fields)`,
  ],
  [
    "boxesSvg()",
    boxesSvg(boxes),
    `F1 by bin: ${hostile} median 0.500, half of all from 0.250 to 0.750`,
  ],
  ["treeMapSvg()", treeMapSvg(tree), `Errors, 3 errors: ${hostile} 3`],
  [
    "seriesSvg()",
    seriesSvg(series),
    `Throughput, Answers a second by Seconds up to 2: ${hostile} from 4 to 6`,
  ],
])("%s", (_, svg, label) => {
  it("has a text alternative with its numbers", () => {
    expect(parsed(svg)?.getAttribute("role")).toBe("img");
    expect(parsed(svg)?.getAttribute("aria-label")?.replaceAll("\u202f", " ")).toBe(label);
  });

  it("escapes hostile names, and has no inline styles", () => {
    expect(parsed(svg)?.querySelector("script, style")).toBeNull();
    expect(svg).not.toMatch(/ style=|NaN|undefined/);
  });
});

it("seriesSvg() draws a dot only for values that no line connects", () => {
  const measured = [4, 5, 6, null, 9, null, 3, 3, null, 7];
  const points = measured.map((y, x) => ({ x, y }));
  const lone = { ...series, series: [{ label: "Answered", tone: "neutral" as const, points }] };
  expect(parsed(seriesSvg(lone))?.querySelectorAll("circle")).toHaveLength(2);
});

describe("without data", () => {
  it.each([
    ["scatterSvg()", scatterSvg({ ...scatter, points: [] })],
    ["histogramSvg()", histogramSvg({ ...histogram, bins: [], lines: [] })],
    ["matrixSvg()", matrixSvg({ ...matrix, cells: [[null], [null]] })],
    ["boxesSvg()", boxesSvg({ ...boxes, groups: [] })],
    ["treeMapSvg()", treeMapSvg({ ...tree, groups: [] })],
    ["seriesSvg()", seriesSvg({ ...series, series: [] })],
    ["radarSvg()", radarSvg({ ...radar, axes: [] })],
  ])("%s still draws an SVG", (_, svg) => {
    expect(parsed(svg)).not.toBeNull();
    expect(svg).not.toContain("NaN");
  });
});

it("matrixSvg() colours cells by sign and size, except those not measured", () => {
  const fills = [...(parsed(matrixSvg(matrix))?.querySelectorAll("rect") ?? [])].map((rect) =>
    rect.getAttribute("fill"),
  );
  expect(fills.filter((fill) => fill?.startsWith("var(--cold"))).toEqual(["var(--cold-3)"]);
  expect(fills.some((fill) => fill?.startsWith("var(--heat"))).toBe(false);
});

it("histogramSvg() draws each bin as high as its count", () => {
  const heights = [...(parsed(histogramSvg(histogram))?.querySelectorAll("rect") ?? [])].map(
    (rect) => Number(rect.getAttribute("height")),
  );
  expect(heights[0]! / heights[1]!).toBeCloseTo(3 / 5, 1);
});

it("treeMapSvg() draws each part with an area proportional to its count", () => {
  const parts = [
    { label: "a", count: 30 },
    { label: "b", count: 10 },
  ];
  const svg = treeMapSvg({ ...tree, groups: [{ label: "", tone: "fair", parts }] });
  const areas = [...(parsed(svg)?.querySelectorAll("rect") ?? [])].map(
    (rect) => Number(rect.getAttribute("width")) * Number(rect.getAttribute("height")),
  );
  expect(areas).toHaveLength(2);
  expect(areas[0]! / areas[1]!).toBeCloseTo(3, 0);
});

it("treeMapSvg() labels a tile only if the whole name fits", () => {
  const parts = [
    { label: "Conversational continuity", count: 900 },
    { label: "Logical consistency of it all", count: 400 },
    { label: "x", count: 3 },
  ];
  const block: TreeBlock = { ...tree, groups: [{ label: "", tone: "fair", parts }] };
  const texts = [...(parsed(treeMapSvg(block))?.querySelectorAll("text") ?? [])];
  const shown = texts.map(({ textContent }) => textContent).join("|");
  expect(shown).toContain("Conversational continuity900");
  expect(shown).not.toContain("…");
  expect(namelessTiles(block)).toBe(1);
});

it("matrixSvg() wraps long row names", () => {
  const rows = { label: "Measure", names: ["Conversational continuity", "b"] };
  const svg = matrixSvg({ ...matrix, rows });
  expect(svg).not.toContain("…");
  expect(svg).toContain("Conversational");
  expect(svg).toContain("continuity");
});

it.each([
  [{ label: "", format: "score" as const }, [0.2, 0.7], [0, 1]],
  [{ label: "", format: "level" as const }, [2], [1, 5]],
  [{ label: "", format: "ms" as const }, [20, 300], [0, 300]],
  [{ label: "", format: "count" as const }, [], [0, 1]],
])("axisDomain(%j, %j) is %j", (axis, values, domain) => {
  expect(axisDomain(axis, values)).toEqual(domain);
});

it.each([
  [90, 1100, [100, 200, 500, 1000]],
  [1, 1e6, [1, 10, 100, 1000, 10_000, 100_000, 1e6]],
  [870, 1130, [900, 1000, 1100]],
  [0.011, 0.019, [0.012, 0.014, 0.016, 0.018]],
])("logTicks(%d, %d) are %j", (low, high, ticks) => {
  expect(logTicks(low, high)).toEqual(ticks);
});
