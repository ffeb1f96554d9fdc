import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import type { PathWithRoute } from "astro/runtime/prerender/static-paths.js";
import { build } from "../data/render-cache.ts";
import { settings } from "../data/settings.ts";
import { type ModuleGraph, pagesOfCode, withoutKept } from "./code-routes.ts";
import { filesIn, linkFile } from "./output.ts";

/** Styles of a page as Astro records them for its head. */
interface PageStyles {
  styles: unknown[];
}

/** Astro's bundle of the site's code: everything needed to render pages without bundling again. */
export interface KeptBundle {
  folder: string;
  /** The modules of pages. */
  server: string;
  /** Scripts, styles and public files, as in a built site. */
  client: string;
  /** The module that has all pages. */
  entry: string;
  pages: [name: string, page: PageStyles][];
  /** Routes of pages that show no results, and the paths of their pages. */
  codePaths: [route: string, pathnames: string[]][];
}

type Noted = Omit<KeptBundle, "folder" | "server" | "client">;

const NOTE = "bundle.json";
const PREFIX = "bundle-";
const folderOf = (code: string): string => join(resolve(settings.cacheDir), `${PREFIX}${code}`);

/** The bundle of this code from an earlier build; null if there is none. */
export async function keptBundle(code: string): Promise<KeptBundle | null> {
  const folder = folderOf(code);
  const note = await readFile(join(folder, NOTE), "utf8").catch(() => null);
  if (note === null) return null;
  const noted = JSON.parse(note) as Noted;
  build.codeRoutes = new Set(noted.codePaths.map(([route]) => route));
  return { folder, server: join(folder, "server"), client: join(folder, "client"), ...noted };
}

/** The part of Astro's build options that is read here. */
interface BuildOptions {
  allPages: Record<
    string,
    PageStyles & { key: string; component: string; route: PathWithRoute["route"] }
  >;
}

/** Saves Astro's bundle before the first page is rendered. */
export const keepBundle: AstroIntegration = {
  name: "keep-bundle",
  hooks: {
    "astro:config:setup": ({ command, updateConfig }) => {
      if (command === "build") updateConfig({ vite: { plugins: [notingFolder] } });
    },
    "astro:config:done": ({ config }) => {
      outDir = fileURLToPath(config.outDir);
      siteRoot = fileURLToPath(config.root);
      packages = fileURLToPath(new URL("../node_modules", config.root));
    },
    "astro:build:start": ({ setPrerenderer }) => {
      setPrerenderer((usual) => ({
        ...usual,
        getStaticPaths: async () => {
          const paths = await usual.getStaticPaths();
          const { app } = usual as unknown as { app: { getOptions(): BuildOptions } };
          const all = Object.values(app.getOptions().allPages);
          const pages = all.map(({ key, styles }): KeptBundle["pages"][number] => [
            key,
            { styles },
          ]);
          const codeRoutes = all.flatMap(({ component, route }) =>
            codePages.has(component) ? [route.route] : [],
          );
          build.codeRoutes = new Set(codeRoutes);
          const codePaths = codeRoutes.map((route): KeptBundle["codePaths"][number] => [
            route,
            paths.flatMap((path) => (path.route.route === route ? [path.pathname] : [])),
          ]);
          await keep({ pages, codePaths });
          return withoutKept(paths);
        },
      }));
    },
  },
};

let outDir = "";
let packages = "";
let siteRoot = "";
/** Pages that show no results, as paths from the site's folder. */
let codePages: ReadonlySet<string> = new Set();
/** Where Astro writes the modules of pages; it removes them at the end. */
let serverDir = "";

const notingFolder = {
  name: "noting-folder",
  applyToEnvironment: ({ name }: { name: string }) => name === "prerender",
  generateBundle(this: ModuleGraph) {
    codePages = new Set(pagesOfCode(this, siteRoot));
  },
  writeBundle: ({ dir = "" }: { dir?: string }) => {
    serverDir = dir;
  },
};

async function keep(noted: Omit<Noted, "entry">): Promise<void> {
  if (build.code === null) return;
  const folder = folderOf(build.code);
  await mkdir(settings.cacheDir, { recursive: true, mode: 0o700 });
  const made = await mkdtemp(`${folder}.`);
  for (const file of filesIn(serverDir)) {
    linkFile(join(serverDir, file), join(made, "server", file));
  }
  const client = filesIn(outDir).filter((file) => !file.startsWith(".prerender"));
  for (const file of client) linkFile(join(outDir, file), join(made, "client", file));
  // The modules import packages from node_modules, wherever the bundle is kept.
  await symlink(packages, join(made, "server", "node_modules"), "junction");
  const names = await readdir(serverDir);
  const entry = names.find((name) => name.startsWith("prerender-entry"));
  await writeFile(join(made, NOTE), JSON.stringify({ ...noted, entry }));
  await dropOldBundles(basename(folder));
  await rename(made, folder).catch(() => rm(made, { recursive: true }));
}

const HOUR_MS = 3_600_000;

/** Removes bundles of other code, and unfinished ones of killed builds. */
async function dropOldBundles(current: string): Promise<void> {
  const names = await readdir(settings.cacheDir);
  for (const name of names.filter((one) => one.startsWith(PREFIX) && one !== current)) {
    const file = join(settings.cacheDir, name);
    const isBegun = name.includes(".");
    if (isBegun && (await stat(file)).mtimeMs > Date.now() - HOUR_MS) continue;
    await rm(file, { recursive: true, force: true });
  }
}
