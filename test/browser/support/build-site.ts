import { execFile } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../../cli/local/root.ts";
import { siteBuild } from "../../../cli/local/site-builder.ts";

const run = promisify(execFile);

/**
 * Makes a folder for a build and its inputs. It is inside the project, since builds into outside folders share Astro's
 * working files and would overwrite each other's.
 */
export async function buildFolder(): Promise<string> {
  await mkdir(join(root, ".astro"), { recursive: true });
  return mkdtemp(join(root, ".astro", "test-"));
}

/** Builds the site into `outDir` from the results in `snapshotDir`; without it, builds a site without results. */
export async function buildSite(outDir: string, snapshotDir?: string): Promise<void> {
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: "1",
    ASSAY_ORIGIN: "",
    ASSAY_PUBLIC_ORIGIN: "https://api.assay.example",
    ASSAY_SNAPSHOT_DIR: snapshotDir ?? "",
    NODE_ENV: "production",
  };
  const [node = "", ...args] = siteBuild(outDir);
  await run(node, args, { cwd: root, env });
}
