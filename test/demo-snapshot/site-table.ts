import { overweight } from "../browser/support/page-budgets.ts";
import type { BuiltFile, BuiltSite } from "./built-site.ts";

/** Pages named one by one. */
const LISTED = 12;

/** Pages that weigh more than their kind may, one line each. */
export const heavyPages = ({ files }: BuiltSite): string[] =>
  files
    .filter(({ path }) => path.endsWith(".html"))
    .flatMap(({ path, bytes, gzipBytes }) =>
      overweight(path.slice(1), bytes, gzipBytes).map((flaw) => `${path}: ${flaw}`),
    );

/** What a build took and weighs, as lines: the largest pages, the largest of each kind, and all else. */
export function siteTable({ seconds, files }: BuiltSite): string {
  const pages = files.filter(({ path }) => path.endsWith(".html"));
  const kinds = Map.groupBy(pages, kindOf);
  const largest = [...kinds.values()].flatMap(([first]) => first ?? []);
  const others = files.filter(({ path }) => !path.endsWith(".html"));
  return [
    `${pages.length} pages in ${seconds.toFixed(1)} s`,
    ...section("Largest pages", pages.slice(0, LISTED)),
    ...section("Largest page of each kind", largest),
    ...section("Other files", others.slice(0, LISTED)),
  ].join("\n");
}

/** The first part of a page's path, which says what it is about. */
const kindOf = ({ path }: BuiltFile) => path.split("/").slice(0, 2).join("/");

const section = (title: string, files: readonly BuiltFile[]) => [
  "",
  `${title} (kB, gzip kB)`,
  ...files.map(({ path, bytes, gzipBytes }) => `${kb(bytes)} ${kb(gzipBytes)}  ${path}`),
];

const kb = (bytes: number) => (bytes / 1_000).toFixed(1).padStart(8);
