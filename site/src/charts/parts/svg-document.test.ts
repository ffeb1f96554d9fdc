import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { svgDocument } from "./svg-document.ts";

const things = [
  { x: 1, y: 0.25, name: `a "quoted" & <b>name</b>`, kind: "one" },
  { x: 2.5, y: 0.5, name: "two\nlines", kind: "two" },
  { x: 4, y: 1, name: "it's – three", kind: "one" },
];
const channels = { x: "x", y: "y" };

const plots: [string, Plot.PlotOptions][] = [
  ["dots with titles", { marks: [Plot.dot(things, { ...channels, title: "name", r: 3 })] }],
  ["lines and areas", { marks: [Plot.line(things, channels), Plot.areaY(things, channels)] }],
  ["bars and texts", { marks: [Plot.barX(things, { x: "y", y: "name" }), Plot.text(["a\nb"])] }],
  ["cells by colour", { marks: [Plot.cell(things, { x: "x", y: "name", fill: "y" })] }],
  ["rules and ticks", { marks: [Plot.ruleX([1, 2]), Plot.tickY(things, channels), Plot.frame()] }],
  [
    "grids and axes",
    { marks: [Plot.gridX(), Plot.gridY(), Plot.axisX(), Plot.axisY(), Plot.dot(things, channels)] },
  ],
  ["facets", { marks: [Plot.dot(things, { ...channels, fx: "kind" })] }],
  ["clipped marks", { marks: [Plot.rectY(things, { x: "x", y: "y", clip: true, interval: 1 })] }],
  ["links and arrows", { marks: [Plot.arrow([0], { x1: 0, y1: 0, x2: 4, y2: 1 })] }],
  [
    "labelled axes",
    { x: { label: "x (ms)" }, y: { grid: true }, marks: [Plot.dot(things, channels)] },
  ],
];

/** A plot as parsed again from its markup, regardless of how attributes were written. */
function drawn(document: Document, options: Plot.PlotOptions): string {
  const svg = Plot.plot({ ...options, className: "plot", document });
  const { body } = new JSDOM(svg.outerHTML).window.document;
  return body.innerHTML;
}

it.each(plots)("svgDocument draws %s like a complete DOM", (_, options) => {
  const whole = new JSDOM("").window.document;
  const clipIds = /plot-clip-\d+/g;
  const [own, expected] = [svgDocument, whole].map((implementation) =>
    drawn(implementation, options).replace(clipIds, "plot-clip"),
  );
  expect(own).toBe(expected);
});
