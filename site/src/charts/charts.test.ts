import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import type { BarsBlock, GaugeBlock, StackBlock } from "#shared/contracts/report.ts";
import { barsDomain, barsSvg } from "./bars.ts";
import { gaugeSvg, zoneOf } from "./gauge.ts";
import { stackSvg } from "./stack.ts";

const gauge: GaugeBlock = {
  kind: "gauge",
  title: "EQS",
  value: 0.75,
  interval: [0.7, 0.8],
  min: 0,
  max: 1,
  format: "score",
  zones: [
    { from: 0, to: 0.75, label: "Moderate", tone: "fair" },
    { from: 0.75, to: 1, label: "Good", tone: "good" },
  ],
};

const hostile = `"><script>alert(1)</script>`;

const bars: BarsBlock = {
  kind: "bars",
  title: "By type",
  format: "score",
  legend: [],
  bars: [
    { label: hostile, value: 0.5, interval: [0.4, 0.6], n: 9, tone: "good" },
    { label: "number", value: null, interval: null, n: 0, tone: "neutral" },
  ],
};

const stack: StackBlock = {
  kind: "stack",
  title: "Fields",
  unit: "fields",
  parts: [
    { label: "Exact", count: 3, tone: "excellent", definition: "" },
    { label: "Missed", count: 1, tone: "missed", definition: "" },
  ],
};

const parsed = (svg: string) => new JSDOM(svg).window.document.querySelector("svg");

it.each([
  ["gaugeSvg()", gaugeSvg(gauge), "EQS: 0.750, 95% interval 0.700–0.800, in the zone Good"],
  ["stackSvg()", stackSvg(stack), "Fields, 4 fields: Exact 75.0%, Missed 25.0%"],
  ["barsSvg()", barsSvg(bars), `By type: ${hostile} 0.500 (0.400–0.600); number –`],
])("%s has a text alternative, and no styles or scripts", (_name, svg, label) => {
  const drawing = parsed(svg);
  expect(drawing?.getAttribute("aria-label")).toBe(label);
  expect(drawing?.querySelectorAll("style, script, [style]")).toHaveLength(0);
});

it("zoneOf() assigns a value at a limit to the zone above, and null to none", () => {
  expect(zoneOf(gauge)?.label).toBe("Good");
  expect(zoneOf({ ...gauge, value: null })).toBeUndefined();
});

it("gaugeSvg() and stackSvg() draw charts without measured values", () => {
  expect(parsed(gaugeSvg({ ...gauge, value: null, interval: null }))).not.toBeNull();
  expect(parsed(stackSvg({ ...stack, parts: [] }))).not.toBeNull();
});

it("barsDomain() is 0–1 for shares, 1–5 for levels, and otherwise ends at the largest value", () => {
  expect(barsDomain(bars)).toEqual([0, 1]);
  expect(barsDomain({ ...bars, format: "level" })).toEqual([1, 5]);
  const times = bars.bars.map((bar) => ({ ...bar, value: 900, interval: null }));
  expect(barsDomain({ ...bars, format: "ms", bars: times })).toEqual([0, 900]);
});
