import { createHash, hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { linkFile, type Output } from "../build/output.ts";
import { formatCount } from "../format/number.ts";
import { settings } from "./settings.ts";

/** Counts of what a build reads and renders; its parts run as separate modules in one process. */
interface BuildNotes {
  begunAt: number;
  /** Digest of the code; null: nothing is cached, because pages are served while they are written. */
  code: string | null;
  /** Digest of code and settings; null: no page is cached, because results come from a folder. */
  sources: string | null;
  /** Routes of pages that show no results. */
  codeRoutes: ReadonlySet<string>;
  /** Number of the snapshot's objects, and how many of them were requested from the service. */
  objects: number;
  read: number;
  /** Names of cached pages by path or file: those that this build renders, and those that it reuses. */
  rendered: Map<string, string>;
  kept: Map<string, string>;
}

const NOTES = Symbol.for("assay.build");
const processes = globalThis as { [NOTES]?: BuildNotes };

processes[NOTES] ??= {
  begunAt: performance.now(),
  code: null,
  sources: null,
  codeRoutes: new Set(),
  objects: 0,
  read: 0,
  rendered: new Map(),
  kept: new Map(),
};

export const build: BuildNotes = processes[NOTES];

const folder = join(settings.cacheDir, "pages");

/**
 * The pages that must be rendered. The others are reused: an earlier build of the same code rendered them from the same
 * inputs. `path`: path of the page or of its file. `inputsOf`: all inputs of a page except code and settings.
 */
export async function toRender<Page extends { path: string }>(
  pages: readonly Page[],
  inputsOf: (page: Page) => unknown,
): Promise<Page[]> {
  if (build.sources === null) return [...pages];
  const there = new Set(await readdir(folder).catch(() => []));
  const { apiOrigin, siteOrigin, operator } = settings;
  const code = `${build.sources} ${apiOrigin} ${siteOrigin} ${JSON.stringify(operator)}`;
  return pages.filter((page) => {
    const name = `${sha256(`${code} ${page.path} ${digestOf(inputsOf(page))}`)}`;
    (there.has(name) ? build.kept : build.rendered).set(page.path, name);
    return !there.has(name);
  });
}

const partsFolder = join(settings.cacheDir, "parts");

const partFile = (page: string): string => join(partsFolder, encodeURIComponent(page));

const partDigest = (inputs: unknown): string => sha256(`${build.sources} ${digestOf(inputs)}`);

function readPart(page: string, digest: string): string | null {
  const file = partFile(page);
  const kept = build.sources !== null && existsSync(file) ? readFileSync(file, "utf8") : "";
  return kept.startsWith(digest) ? kept.slice(digest.length) : null;
}

/** Whether an earlier build of the same code and inputs cached this part of a page. */
export const hasPart = (page: string, inputs: unknown): boolean =>
  readPart(page, partDigest(inputs)) !== null;

/** A part of a page that changes less often than the page; reused from an earlier build of the same code and inputs. */
export async function keptPart(
  page: string,
  inputs: unknown,
  draw: () => Promise<string>,
): Promise<string> {
  if (build.sources === null) return draw();
  const digest = partDigest(inputs);
  const kept = readPart(page, digest);
  if (kept !== null) return kept;
  const part = await draw();
  if (incomplete.has(page)) return part;
  const file = partFile(page);
  mkdirSync(partsFolder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.part`, `${digest}${part}`);
  renameSync(`${file}.part`, file);
  return part;
}

/** Removes the cached parts of other pages in a folder of the site. */
export function dropOtherParts(folder: string, pages: ReadonlySet<string>): void {
  const others = existsSync(partsFolder) ? readdirSync(partsFolder) : [];
  for (const name of others) {
    const page = decodeURIComponent(name);
    if (page.startsWith(folder) && !pages.has(page)) rmSync(join(partsFolder, name));
  }
}

const incomplete = new Set<string>();

/** Marks a page to be rendered again by the next build, because some of its content was missing. */
export function dontKeep(path: string): void {
  incomplete.add(path);
  build.rendered.delete(path);
}

const digests = new WeakMap<object, string>();
/** Texts up to this length are copied faster than they are hashed and remembered. */
const SHORT = 1024;

/** Records a name as the digest of data that it identifies, so that the data need not be read. */
export const knowDigest = (value: object, name: string): void => void digests.set(value, name);

/** A digest of data whose parts have no names: it reads all of it, several times as fast. */
export const contentDigest = (value: object): string => sha256(JSON.stringify(value));

/** A digest of data; each large object is read only once, even if it is an input of many pages. */
export function digestOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "-";
  const known = digests.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value) ? `[${value.map(digestOf).join()}]` : digestOfFields(value);
  if (text.length <= SHORT) return text;
  const digest = sha256(text);
  digests.set(value, digest);
  return digest;
}

function digestOfFields(value: object): string {
  let text = "{";
  for (const name in value) {
    text += `${JSON.stringify(name)}:${digestOf((value as Record<string, unknown>)[name])},`;
  }
  return `${text}}`;
}

const sha256 = (text: string): string => hash("sha256", text);

/**
 * Records the code that is built, and whether pages are cached. `root`: folder of the project; `isAhead`: before there
 * are results.
 */
export async function beginBuild(root: string, isAhead: boolean): Promise<string> {
  const code = await sourcesDigest(root);
  build.code = code;
  if (isAhead || (settings.origin !== null && !settings.snapshotDir)) build.sources = code;
  return code;
}

/** Keeps the rendered pages, reuses the others, and returns the names of all by file. */
export function keepPages({ dir, stage, before }: Output): Map<string, string> {
  const files = new Map<string, string>();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Sequentially: there may be a hundred thousand, and each takes a hundredth of a millisecond.
  for (const [path, name] of build.rendered) {
    const file = fileOf(path);
    const place = (before === null ? [stage] : [stage, dir])
      .map((one) => join(one, file))
      .find(existsSync);
    // A page whose file name differs from its path is always rendered.
    if (place === undefined) continue;
    linkFile(place, join(folder, name));
    files.set(file, name);
  }
  for (const [path, name] of build.kept) {
    const file = fileOf(path);
    if (before?.get(file) !== name) linkFile(join(folder, name), join(stage, file));
    files.set(file, name);
  }
  if (build.sources !== null) dropOthers(new Set(files.values()));
  return files;
}

export function doneText(rendered: number): string {
  const seconds = ((performance.now() - build.begunAt) / 1_000).toFixed(1);
  return `read ${formatCount(build.read)} of ${formatCount(build.objects)} objects, rendered ${formatCount(rendered)} pages, kept ${formatCount(build.kept.size)}, ${seconds} s`;
}

const fileOf = (path: string): string =>
  join(decodeURIComponent(path), path.endsWith("/") ? "index.html" : "").replace(/^[\\/]/, "");

function dropOthers(wanted: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (!wanted.has(name)) rmSync(join(folder, name), { force: true });
  }
}

/** All inputs of pages except results: a build of different code reuses no page. */
const SOURCES = [
  "site/src",
  "site/public",
  "site/astro.config.ts",
  "site/build.mjs",
  "site/build.ts",
  "shared",
  "docs",
  "examples",
  "CHANGELOG.md",
  "SECURITY.md",
  "package.json",
  "package-lock.json",
];

/** A digest of the code in the project's folder `root`, and of the Node.js that runs it. */
export async function sourcesDigest(root: string): Promise<string> {
  const digest = createHash("sha256").update(process.version);
  for (const source of SOURCES) {
    const path = join(root, source);
    const inside = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
    const files = inside
      ?.filter((entry) => entry.isFile() && !entry.name.includes(".test."))
      .map((entry) => join(entry.parentPath, entry.name)) ?? [path];
    for (const file of files.sort()) {
      // Synchronously: for thousands of small files, reading in other threads takes several times as long.
      digest.update(relative(root, file)).update(readFileSync(file));
    }
  }
  return digest.digest("hex");
}
