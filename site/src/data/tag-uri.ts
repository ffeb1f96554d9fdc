/** A year in which whoever has the site's name had it: any will do, as long as it stays. */
const YEAR = 2026;

/**
 * A name for good of something on a site, whatever becomes of its address. Source: RFC 4151.
 * @example tagUri("https://assay.example", "runs/run_1") // "tag:assay.example,2026:runs/run_1"
 */
export const tagUri = (origin: string, name: string): string =>
  `tag:${new URL(origin).hostname},${YEAR}:${encodeURI(name)}`;
