import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";

const { document } = new JSDOM("").window;

/** Wide enough for a phone unscaled; two stand side by side on a desk. */
const chartWidth = 400;

/**
 * A plot as an SVG string. `label` is its text alternative. Plot's own style element is taken out,
 * since the content security policy allows none; charts.css has what it said.
 */
export function plotSvg(label: string, options: Plot.PlotOptions): string {
  const svg = Plot.plot({ width: chartWidth, ...options, className: "plot", document });
  svg.querySelector("style")?.remove();
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  for (const part of svg.querySelectorAll("*")) shortenNumbers(part);
  return svg.outerHTML;
}

/** A tenth of a pixel is as fine as anyone sees; Plot writes seventeen digits. */
function shortenNumbers(part: Element): void {
  for (const { name, value } of part.attributes) {
    if (value.includes(".")) part.setAttribute(name, value.replace(/(\.\d)\d+/g, "$1"));
  }
}
