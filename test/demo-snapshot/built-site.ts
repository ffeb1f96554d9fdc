import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { endedCpuMs } from "../bench/support/tree-cpu.ts";
import { buildSite } from "../browser/support/build-site.ts";

/** A site that was built, with what it weighs. */
export interface BuiltSite {
  seconds: number;
  cpuSeconds: number;
  /** Largest first. */
  files: BuiltFile[];
}

/** A file of it; sizes in bytes. */
export interface BuiltFile {
  path: string;
  bytes: number;
  gzipBytes: number;
}

/** Builds the site from a snapshot's folder into `out`, and weighs every file. */
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
