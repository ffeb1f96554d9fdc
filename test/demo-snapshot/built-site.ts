import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { endedCpuMs } from "../bench/support/tree-cpu.ts";
import { buildSite } from "../browser/support/build-site.ts";
import { overweight } from "../browser/support/page-budgets.ts";

/** A built site with build times and file sizes. */
export interface BuiltSite {
  seconds: number;
  cpuSeconds: number;
  /** Largest first. */
  files: BuiltFile[];
}

/** A file of a built site. */
export interface BuiltFile {
  path: string;
  bytes: number;
  gzipBytes: number;
}

/** Builds the site from a snapshot's folder into `out`, and measures every file. */
export async function builtSite(snapshotDir: string, out: string): Promise<BuiltSite> {
  await rm(out, { recursive: true, force: true });
  const begun = performance.now();
  const cpuBefore = endedCpuMs();
  await buildSite(out, snapshotDir);
  const cpuSeconds = (endedCpuMs() - cpuBefore) / 1_000;
  const seconds = (performance.now() - begun) / 1_000;
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const files: BuiltFile[] = [];
  for (const path of paths) {
    const content = await readFile(path);
    const sizes = { bytes: content.length, gzipBytes: gzipSync(content).length };
    files.push({ path: path.slice(out.length), ...sizes });
  }
  return { seconds, cpuSeconds, files: files.sort((a, b) => b.bytes - a.bytes) };
}

/** Number of files listed per section. */
const LISTED = 12;

/** Pages that exceed the size budget of their kind, one line each. */
export const heavyPages = ({ files }: BuiltSite): string[] =>
  files
    .filter(({ path }) => path.endsWith(".html"))
    .flatMap(({ path, bytes, gzipBytes }) =>
      overweight(path.slice(1), bytes, gzipBytes).map((flaw) => `${path}: ${flaw}`),
    );

/** Build time and sizes as lines: the largest pages, the largest page of each kind, and other files. */
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

/** The first part of a page's path. */
const kindOf = ({ path }: BuiltFile) => path.split("/").slice(0, 2).join("/");

const section = (title: string, files: readonly BuiltFile[]) => [
  "",
  `${title} (kB, gzip kB)`,
  ...files.map(({ path, bytes, gzipBytes }) => `${kb(bytes)} ${kb(gzipBytes)}  ${path}`),
];

const kb = (bytes: number) => (bytes / 1_000).toFixed(1).padStart(8);
