import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type PathWithRoute,
  StaticPaths,
  type StaticPathsApp,
} from "astro/runtime/prerender/static-paths.js";
import { fileOfPath, withoutKept } from "./code-routes.ts";
import type { KeptBundle } from "./kept-bundle.ts";
import { filesIn, linkFile, type Output } from "./output.ts";

/** Astro's renderer of bundled pages. */
interface PageRenderer extends Required<StaticPathsApp> {
  setInternals(internals: unknown): void;
  setOptions(options: unknown): void;
  render(request: Request, of: { routeData: unknown }): Promise<Response>;
}

/** Renders a site, and returns the unchanged files. */
export type RenderKept = (output: Output) => Promise<string[]>;

/** Opens a kept bundle, which renders the same output as Astro. Rejects if it can't be loaded. */
export async function openKept(bundle: KeptBundle): Promise<RenderKept> {
  const { app } = (await import(pathToFileURL(join(bundle.server, bundle.entry)).href)) as {
    app: PageRenderer;
  };
  app.setInternals({ pagesByKeys: new Map(bundle.pages) });
  app.setOptions({
    settings: { scripts: [] },
    logger: {
      options: {
        destination: { write: ({ message }: { message: string }) => console.warn(message) },
      },
    },
  });
  return (output) => renderAll(app, bundle, output);
}

async function renderAll(app: PageRenderer, bundle: KeptBundle, output: Output): Promise<string[]> {
  const client = filesIn(bundle.client);
  const isWhole = output.before === null;
  if (isWhole) {
    for (const file of client) linkFile(join(bundle.client, file), join(output.stage, file));
  }
  const unchanged = isWhole ? [] : client;
  // As in Astro, the first of two routes gets the path.
  const paths = new Map<string, PathWithRoute>();
  for (const path of await withoutKept(await allPaths(app, bundle))) {
    if (!paths.has(path.pathname)) paths.set(path.pathname, path);
  }
  for (const path of paths.values()) {
    const content = await rendered(app, path);
    const file = fileOfPath(path);
    if (content !== null && !writeChanged(output, file, content)) unchanged.push(file);
  }
  return unchanged;
}

/**
 * Paths of all pages. Those of pages without results are known, so that their modules are loaded only to be rendered.
 */
async function allPaths(app: PageRenderer, bundle: KeptBundle): Promise<PathWithRoute[]> {
  const known = new Map(bundle.codePaths);
  const paths: PathWithRoute[] = [];
  for (const one of app.manifest.routes) {
    const route = one.routeData;
    const pathnames = known.get(route.route);
    if (pathnames) paths.push(...pathnames.map((pathname) => ({ pathname, route })));
    else paths.push(...(await pathsOf(app, one)));
  }
  return paths;
}

const pathsOf = (app: PageRenderer, route: PageRenderer["manifest"]["routes"][number]) =>
  new StaticPaths({
    manifest: { ...app.manifest, routes: [route] },
    routeCache: app.routeCache,
    getComponentByRoute: (asked) => app.getComponentByRoute(asked),
  }).getAll();

async function rendered(app: PageRenderer, { pathname, route }: PathWithRoute) {
  const address = route.type === "page" ? `${pathname}/`.replace(/\/+$/, "/") : pathname;
  const request = new Request(new URL(address, "http://localhost"));
  const response = await app.render(request, { routeData: route });
  return response.body === null ? null : Buffer.from(await response.arrayBuffer());
}

/** Writes a file if its content differs from the existing one; returns whether it did. */
function writeChanged({ dir, stage, before }: Output, file: string, content: Buffer): boolean {
  if (before?.has(file) && existsSync(join(dir, file))) {
    if (readFileSync(join(dir, file)).equals(content)) return false;
  }
  mkdirSync(dirname(join(stage, file)), { recursive: true });
  writeFileSync(join(stage, file), content);
  return true;
}
