import * as Plot from "@observablehq/plot";
import { escapeXml } from "../../format/xml.ts";

/** The document that plots are drawn in: the page's own in a browser, and a light one where pages are built. */
async function documentOfPlots(): Promise<Document> {
  if (!import.meta.env.SSR) return globalThis.document;
  const { svgDocument } = await import("./svg-document.ts");
  return svgDocument;
}

const plotDocument = await documentOfPlots();

/** Wide enough for a phone unscaled; two stand side by side on a desk. */
export const chartWidth = 400;

/** Half of a chart's elements hold nothing: an end tag each would be a tenth of its bytes. */
const emptyElements = /><\/(?:circle|rect|path|line)>/g;

/** Start tags; no name or value of an attribute in them holds a ">". */
const tags = /<[a-z][^>]*>/gi;

/** What charts.css says of every plot. */
const styled = ["fill", "font-family", "font-size", "text-anchor"];

/** What Plot says of its parts is for nobody: an image has none for screen readers. */
const unheard = / (?:aria-label|aria-hidden|font-variant)="[^"]*"/g;

/**
 * A plot as an SVG string. `label` is its text alternative. Plot's own style element is taken out,
 * since the content security policy allows none; charts.css has what it said.
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
  return html.replace(">", () => ` aria-label="${escapeXml(label)}">`);
}

/** A tenth of a pixel is as fine as anyone sees, of its 17 digits. */
function tidied(tag: string): string {
  const bare = tag.replace(unheard, "");
  return bare.includes(".") ? bare.replace(/(\.\d)\d+/g, "$1").replace(/\.0(?!\d)/g, "") : bare;
}
