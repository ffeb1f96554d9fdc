import type { SampleFilter } from "#shared/contracts/report.ts";
import { escapeXml } from "../../format/xml.ts";
import { chartWidth } from "./plot-svg.ts";

/** A shape that leads to samples. */
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
 * A drawing with links over its shapes. They are for pointers alone, because a drawing is one image to screen readers
 * and keyboards: the table behind it has the same links.
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
