import * as Plot from "@observablehq/plot";
import type { SampleFilter } from "#shared/contracts/report.ts";
import { escapeXml } from "../../format/xml.ts";

/** The document that plots are drawn in: the page's own in a browser, a lightweight one during the build. */
async function documentOfPlots(): Promise<Document> {
  if (!import.meta.env.SSR) return globalThis.document;
  const { svgDocument } = await import("./svg-document.ts");
  return svgDocument;
}

const plotDocument = await documentOfPlots();

/** Wide enough for a phone unscaled; two fit side by side on a desktop. */
export const chartWidth = 400;

/** Half of a chart's elements are empty: their end tags would be a tenth of its bytes. */
const emptyElements = /><\/(?:circle|rect|path|line)>/g;

/** Start tags; no name or value of an attribute in them holds a ">". */
const tags = /<[a-z][^>]*>/gi;

/** Attributes that charts.css sets for every plot. */
const styled = ["fill", "font-family", "font-size", "text-anchor"];

/** Labels of a plot's parts, which are useless because screen readers see one image. */
const unheard = / (?:aria-label|aria-hidden|font-variant)="[^"]*"/g;

/**
 * A plot as an SVG string. `label` is its text alternative. Plot's own style element is removed, because the
 * content security policy allows none; charts.css has its rules.
 */
export function plotSvg(label: string, options: Plot.PlotOptions): string {
  const svg = Plot.plot({
    width: chartWidth,
    ...options,
    className: "plot",
    document: plotDocument,
  });
  svg.querySelector("style")?.remove();
  for (const name of styled) svg.removeAttribute(name);
  svg.setAttribute("role", "img");
  const html = svg.outerHTML.replace(tags, tidied).replace(emptyElements, "/>");
  return joined(html).replace(">", () => ` aria-label="${escapeXml(label)}">`);
}

/** Rounds numbers of 17 digits to a tenth of a pixel, which is more than can be seen. */
function tidied(tag: string): string {
  const bare = tag.replace(unheard, "");
  return bare.includes(".") ? bare.replace(/(\.\d)\d+/g, "$1").replace(/\.0(?!\d)/g, "") : bare;
}

const line = /<line x1="([^"]*)" x2="([^"]*)" y1="([^"]*)" y2="([^"]*)"\/>/g;
const grid = new RegExp(`(?<=<g stroke="var\\(--line\\)">)(?:${line.source})+(?=</g>)`, "g");
const tick = /<path transform="translate\(([^)]*)\)" d="M0,0L([^"LMZ]*)"\/>/g;
const ticks = new RegExp(`(?:${tick.source}){2,}`, "g");
const placedText =
  /<text(?: y="([^"]*)")? transform="translate\(([^,]*),([^)]*)\)">(?=[^<]*<\/text>)/g;

/**
 * Joins grid lines and ticks to one path each, and removes transforms of texts: this saves a fifth of a chart's bytes.
 */
const joined = (html: string): string =>
  html
    .replace(grid, (lines) =>
      pathOf(
        lines.replace(
          line,
          (_, x1, x2, y1, y2) => `M${x1},${y1}${y1 === y2 ? `H${x2}` : `V${y2}`}`,
        ),
      ),
    )
    .replace(ticks, (all) => pathOf(all.replace(tick, "M$1l$2")))
    .replace(placedText, (_, dy?: string, x = "", y = "") =>
      dy === undefined ? `<text x="${x}" y="${y}">` : `<text x="${x}" y="${y}" dy="${dy}">`,
    );

const pathOf = (d: string): string => `<path d="${d}"/>`;

export interface Linked {
  samples: SampleFilter | undefined;
  /** An SVG element. */
  shape: string;
}

export interface ChartLink {
  links: readonly Linked[];
  height: number;
  hrefOf(samples: SampleFilter | undefined): string | undefined;
}

/**
 * A drawing with links over its shapes. They are only for pointers, because screen readers and keyboards see a drawing
 * as one image: the table behind it has the same links.
 */
export function withLinks(svg: string, { links, height, hrefOf }: ChartLink): string {
  const shapes = links.map(({ samples, shape }) => {
    const href = hrefOf(samples);
    return href === undefined ? "" : `<a href="${escapeXml(href)}" tabindex="-1">${shape}</a>`;
  });
  const linked = shapes.join("");
  if (linked === "") return svg;
  const layer = `<svg class="plot links" viewBox="0 0 ${chartWidth} ${height}" aria-hidden="true">${linked}</svg>`;
  return `<div class="linked">${svg}${layer}</div>`;
}
