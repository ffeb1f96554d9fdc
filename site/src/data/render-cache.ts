import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { formatCount } from "../format/number.ts";
import { settings } from "./settings.ts";

/** Counts of what a build reads and renders; its parts run as separate modules in one process. */
interface BuildNotes {
  begunAt: number;
  /** Digest of the code; null: no page is kept, as for results from a folder. */
  sources: string | null;
  /** Objects of the snapshot, and how many of them were requested from the service. */
  objects: number;
  read: number;
  /** Names of kept pages, by their paths: those that this build renders, and those that it reuses. */
  rendered: Map<string, string>;
  kept: Map<string, string>;
}

const NOTES = Symbol.for("assay.build");
const processes = globalThis as { [NOTES]?: BuildNotes };

processes[NOTES] ??= {
  begunAt: performance.now(),
  sources: null,
  objects: 0,
  read: 0,
  rendered: new Map(),
  kept: new Map(),
};

/** State of the build in this process. */
export const build: BuildNotes = processes[NOTES];

const folder = join(settings.cacheDir, "pages");

/**
 * The pages that must be rendered. The others are reused: an earlier build of the same code rendered them from the
 * same inputs. `inputsOf`: all inputs of a page except code and settings.
 */
export async function toRender<Page extends { path: string }>(
  pages: readonly Page[],
  inputsOf: (page: Page) => unknown,
): Promise<Page[]> {
  if (build.sources === null) return [...pages];
  const there = new Set(await readdir(folder).catch(() => []));
  const { apiOrigin, siteOrigin } = settings;
  const code = `${build.sources} ${apiOrigin} ${siteOrigin}`;
  return pages.filter((page) => {
    const name = `${sha256(`${code} ${page.path} ${digestOf(inputsOf(page))}`)}.html`;
    (there.has(name) ? build.kept : build.rendered).set(page.path, name);
    return !there.has(name);
  });
}

/** Marks a page to be rendered again by the next build, because some of its content was missing. */
export const dontKeep = (path: string): void => void build.rendered.delete(path);

const digests = new WeakMap<object, string>();
const SHORT = 64;

/** A digest of data; each object is read once, even if it is an input of many pages. */
export function digestOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "-";
  const known = digests.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value)
    ? `[${value.map(digestOf).join()}]`
    : `{${Object.entries(value)
        .map(([name, its]) => `${JSON.stringify(name)}:${digestOf(its)}`)
        .join()}}`;
  const digest = text.length <= SHORT ? text : sha256(text);
  digests.set(value, digest);
  return digest;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Reuses the pages that were not rendered, keeps those that were, and reports what the build did. */
export const keepPages: AstroIntegration = {
  name: "keep-pages",
  hooks: {
    "astro:config:setup": async ({ command, config }) => {
      const isKept = command === "build" && settings.origin !== null && !settings.snapshotDir;
      if (isKept) build.sources = await sourcesDigest(fileURLToPath(new URL("..", config.root)));
    },
    "astro:build:done": async ({ dir, logger }) => {
      const dist = fileURLToPath(dir);
      const files = await readdir(dist, { recursive: true });
      const rendered = files.filter((file) => file.endsWith(".html")).length;
      if (build.rendered.size > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [path, name] of build.rendered) {
        // A page whose file name differs from its path is always rendered.
        await copyFile(fileOf(dist, path), join(folder, name)).catch(() => undefined);
      }
      await takeOver(dist, new Set(files));
      if (build.sources !== null)
        await dropOthers(new Set([...build.rendered.values(), ...build.kept.values()]));
      const seconds = ((performance.now() - build.begunAt) / 1_000).toFixed(1);
      logger.info(
        `read ${formatCount(build.read)} of ${formatCount(build.objects)} objects, rendered ${formatCount(rendered)} pages, kept ${formatCount(build.kept.size)}, ${seconds} s`,
      );
    },
  },
};

const fileOf = (dist: string, path: string): string =>
  join(dist, decodeURIComponent(path), "index.html");

async function takeOver(dist: string, files: ReadonlySet<string>): Promise<void> {
  for (const [path, name] of build.kept) {
    const text = await readFile(join(folder, name), "utf8");
    const lacking = (text.match(/(?<=["'])\/_astro\/[^"'?#]+/g) ?? []).find(
      (asset) => !files.has(asset.slice(1)),
    );
    if (lacking !== undefined) {
      await rm(folder, { recursive: true });
      throw new Error(
        `The kept page ${path} needs ${lacking}, which no longer exists: build again.`,
      );
    }
    const file = fileOf(dist, path);
    await mkdir(dirname(file), { recursive: true });
    await copyFile(join(folder, name), file);
  }
}

async function dropOthers(wanted: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!wanted.has(name)) await rm(join(folder, name), { force: true });
  }
}

/** All inputs of pages except results: a build of different code reuses no page. */
const SOURCES = [
  "site/src",
  "site/public",
  "site/astro.config.ts",
  "shared",
  "docs",
  "examples",
  "CHANGELOG.md",
  "SECURITY.md",
  "package-lock.json",
];

/** A digest of the code in the project's folder `root`, and of the Node.js that runs it. */
export async function sourcesDigest(root: string): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const source of SOURCES) {
    const path = join(root, source);
    const inside = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = inside
      ?.filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)) ?? [path];
    for (const file of files.sort()) {
      hash.update(file.slice(root.length)).update(await readFile(file));
    }
  }
  return hash.digest("hex");
}
