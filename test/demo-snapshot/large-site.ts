import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../cli/local/root.ts";
import { siteBuild } from "../../cli/local/site-builder.ts";
import { endedCpuMs } from "../bench/support/tree-cpu.ts";
import { buildFolder } from "../browser/support/build-site.ts";
import { openLargeService } from "./many-results.ts";

const usage = `node test/demo-snapshot/large-site.ts [options]

Builds the site of a service with many results three times: from scratch, after one more run, and without a change.
Prints the cost of each build.

  --runs N      public runs per suite, each of a different model (default 10000)
  --suites IDS  suites (default slots)
  --datasets N  public datasets (default 2000)
  --files N     maximum number of files of the site (default: the site's own)`;

/** The cost of a build. */
export interface BuildCost {
  seconds: number;
  cpuSeconds: number;
  /** Peak memory of the process, MB. */
  peakMb: number;
  files: number;
  /** The summary line of the build's output. */
  said: string;
}

/** Folders of a build, and its maximum number of files. */
interface BuildFolders {
  out: string;
  /** Cache between builds. */
  cache: string;
  files?: string | undefined;
}

/** Starts a build of a service's site. */
export function startBuild(origin: string, { out, cache, files }: BuildFolders) {
  const [node = "", ...args] = siteBuild(out);
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: "1",
    NODE_ENV: "production",
    ASSAY_ORIGIN: origin,
    ASSAY_PUBLIC_ORIGIN: "https://api.assay.example",
    ASSAY_SNAPSHOT_DIR: "",
    ASSAY_CACHE_DIR: cache,
    ...(files !== undefined && { ASSAY_SITE_FILES: files }),
  };
  return spawn(node, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Builds a service's site and measures the cost. */
export async function costOfBuild(origin: string, folders: BuildFolders): Promise<BuildCost> {
  const begun = performance.now();
  const child = startBuild(origin, folders);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (some) => (text += some));
  let peakKb = 0;
  const cpuBefore = endedCpuMs();
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 200);
  const code = await new Promise((resolve) => child.on("close", resolve));
  const cpuSeconds = (endedCpuMs() - cpuBefore) / 1_000;
  clearInterval(watch);
  if (code !== 0) throw new Error(`the build ended with ${code}: ${text.slice(-2_000)}`);
  const entries = await readdir(folders.out, { recursive: true, withFileTypes: true });
  return {
    seconds: (performance.now() - begun) / 1_000,
    cpuSeconds,
    peakMb: peakKb / 1_024,
    files: entries.filter((one) => one.isFile()).length,
    said: /read .* objects.*/.exec(text)?.[0] ?? "",
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "10000" },
      suites: { type: "string", default: "slots" },
      datasets: { type: "string", default: "2000" },
      files: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(usage);
  const large = await openLargeService({
    runs: Number(values.runs),
    suites: values.suites.split(","),
    datasets: Number(values.datasets),
  });
  const folder = await buildFolder();
  const cache = await mkdtemp(join(folder, "cache-"));
  const built = async (what: string) => {
    const out = join(folder, "dist");
    const cost = await costOfBuild(large.origin, { out, cache, files: values.files });
    const { seconds, cpuSeconds, peakMb, files, said } = cost;
    console.log(
      `${what}: ${seconds.toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)} s), ${peakMb.toFixed(0)} MB, ${files} files; ${said}`,
    );
  };
  try {
    await built("the first build");
    await large.finishOneMore();
    await built("after one more run");
    await built("without any change");
  } finally {
    await rm(folder, { recursive: true, force: true });
    await large.close();
  }
}

if (import.meta.main) await main();
