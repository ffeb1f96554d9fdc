// Charts as SVG, drawn by Observable Plot in a document of jsdom.
import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";

const { document } = new JSDOM("").window;
const blue = "#2b6cb0";
const mostFields = 10;
const marginLeft = 260;
/** The end of a path says most. */
const short = (name) => (name.length <= 40 ? name : `…${name.slice(-39)}`);

/** The charts of an analysis, as SVG text by name. */
export function chartsOf({ tags, latency, fields, paired }) {
  return {
    tags: tagChart(tags.filter(({ interval }) => interval !== null)),
    latency: latencyChart(latency.points),
    fields: fieldChart(fields.slice(0, mostFields)),
    ...(paired && { paired: pairedChart(paired.differences) }),
  };
}

function tagChart(groups) {
  const rows = groups.map(({ tag, name, value, interval: [low, high] }) => {
    return { label: `${tag} ${name}`, value, low, high };
  });
  const place = { y: "label", stroke: blue };
  return svg("Score by tag, of 20 samples or more", {
    x: { domain: [0, 1], label: "score, with 95% interval", grid: true },
    y: { domain: rows.map(({ label }) => label), label: null, tickFormat: short },
    marginLeft,
    marks: [
      Plot.ruleY(rows, { ...place, x1: "low", x2: "high", strokeWidth: 2 }),
      Plot.dot(rows, { ...place, x: "value", fill: blue }),
    ],
  });
}

function latencyChart(points) {
  return svg("Latency and score", {
    x: { label: "latency, ms", zero: true },
    y: { domain: [0, 1], label: "score", labelAnchor: "center", grid: true },
    marks: [Plot.dot(points, { x: "0", y: "1", fill: blue, fillOpacity: 0.5 })],
  });
}

function fieldChart(rows) {
  const kinds = ["missed", "incorrect"];
  const counts = rows.flatMap((row) =>
    kinds.map((kind) => ({ path: row.path, kind, count: row[kind] })),
  );
  return svg("Fields missed most often (blue) and incorrect (orange)", {
    x: { label: "fields of usable outputs" },
    y: { domain: rows.map(({ path }) => path), label: null, tickFormat: short },
    marginLeft,
    color: { domain: kinds, range: [blue, "#c05621"] },
    marks: [Plot.barX(counts, { x: "count", y: "path", fill: "kind" }), Plot.ruleX([0])],
  });
}

function pairedChart(differences) {
  const thresholds = Array.from({ length: 22 }, (_, k) => (2 * k) / 21 - 1);
  const bins = Plot.binX({ y: "count" }, { x: { value: differences, thresholds }, fill: blue });
  return svg("Differences by sample", {
    x: { domain: [-1, 1], label: "score less that of the other" },
    y: { label: "samples", labelAnchor: "center", grid: true },
    marks: [Plot.rectY(differences, bins), Plot.ruleX([0])],
  });
}

function svg(title, options) {
  const plot = Plot.plot({ document, width: 700, marginTop: 56, ...options });
  plot.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", title);
  plot.style.background = "white";
  const heading = document.createElementNS("http://www.w3.org/2000/svg", "text");
  const look = { x: 8, y: 20, "font-size": 14, "text-anchor": "start", fill: "black" };
  for (const [name, value] of Object.entries(look)) {
    heading.setAttribute(name, value);
  }
  heading.textContent = title;
  plot.append(heading);
  return `${plot.outerHTML}\n`;
}
