import type { SampleFilter } from "#shared/contracts/report.ts";
import { paths } from "../../data/paths.ts";
import type { ReportPlace } from "../shown-run.ts";

/** Address of the samples that match a filter; undefined without a filter or a page of samples. */
export type SampleHref = (filter: SampleFilter | null | undefined) => string | undefined;

let current: SampleHref = () => undefined;

/**
 * Draws with links from rows, areas and dots to their samples. Drawing is synchronous, so no other page is drawn
 * meanwhile. Contexts of hono/jsx would do the same, but load its hooks and streams.
 */
export function drawLinked(hrefOf: SampleHref, draw: () => string): string {
  const before = current;
  current = hrefOf;
  try {
    return draw();
  } finally {
    current = before;
  }
}

/** Addresses of samples for the page that is being drawn. */
export const sampleHref: SampleHref = (filter) => current(filter);

/** Addresses of a run's samples: on the run's own page of samples, or on the page that shows any run's. */
export const sampleHrefs =
  ({ siteOrigin, samples }: Pick<ReportPlace, "siteOrigin" | "samples">, run: string): SampleHref =>
  (filter) => {
    if (siteOrigin === null || !filter) return undefined;
    const search = new URLSearchParams({ ...(samples === undefined && { run }), ...filter });
    const query = search.size === 0 ? "" : `?${search}`;
    return `${siteOrigin}${samples ?? paths.samples}${query}`;
  };
