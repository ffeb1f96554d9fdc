import { join, relative } from "node:path";
import type { PathWithRoute } from "astro/runtime/prerender/static-paths.js";
import { build, toRender } from "../data/render-cache.ts";

/** The part of the graph of bundled modules that is read. */
export interface ModuleGraph {
  getModuleIds(): IterableIterator<string>;
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null;
}

/**
 * All results are read by this module. Every page imports it through its layout, for a line that only pages of results
 * show.
 */
const RESULTS = "src/data/results.ts";
const LAYOUT = "src/layouts/Page.astro";

/** Pages, as paths from the site's folder `root`, that import no results: their content depends on code alone. */
export function pagesOfCode(graph: ModuleGraph, root: string): string[] {
  const ids = [...graph.getModuleIds()];
  const pages = ids.filter((id) => relative(root, id).startsWith("src/pages/"));
  return pages
    .filter(
      (page) => ![...importedBy(page, graph, root)].some((id) => relative(root, id) === RESULTS),
    )
    .map((page) => relative(root, page));
}

function importedBy(page: string, graph: ModuleGraph, root: string): Set<string> {
  const found = new Set([page]);
  for (const id of found) {
    const info = relative(root, id) === LAYOUT ? null : graph.getModuleInfo(id);
    for (const one of info?.importedIds ?? []) found.add(one);
    for (const one of info?.dynamicallyImportedIds ?? []) found.add(one);
  }
  return found;
}

/** Path of a page's or file's output within the built site. */
export function fileOfPath({ pathname, route }: PathWithRoute): string {
  const path = decodeURIComponent(new URL(encodeURI(pathname), "file:").pathname);
  const name = path.replace(/^\/|\/$/g, "");
  if (route.type !== "page") return name;
  // The "not found" page has no folder of its own.
  return name === "404" ? "404.html" : join(name, "index.html");
}

/** Paths to render, without pages that depend on code alone and were rendered by an earlier build. */
export async function withoutKept(paths: readonly PathWithRoute[]): Promise<PathWithRoute[]> {
  const isOfCode = ({ route }: PathWithRoute) => build.codeRoutes.has(route.route);
  const ofCode = paths.filter(isOfCode).map((one) => ({ path: fileOfPath(one), one }));
  const changed = await toRender(ofCode, () => null);
  return [...paths.filter((path) => !isOfCode(path)), ...changed.map(({ one }) => one)];
}
