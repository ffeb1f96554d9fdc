import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../../../cli/local/root.ts";
import type { Bench } from "../bench.ts";

const wrangler = join(root, "node_modules", ".bin", "wrangler");

/** The deployed Worker: size of its upload, and CPU time of its start before any request. */
export const workerStart: Bench = {
  repeats: 3,
  rows: [
    {
      name: "start/bundle",
      what: "the Worker's bundle, gzip",
      unit: "kB",
      target: { atMost: 1_000 },
    },
    {
      name: "start/worker",
      what: "JavaScript run before the first request",
      unit: "ms",
      yardstick: "the CPU time of an empty program in Node",
      target: { atMost: 8 },
    },
  ],
  prepare: () => () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    try {
      const profile = join(folder, "start.cpuprofile");
      run("deploy", "--dry-run", "--outdir", folder);
      run("check", "startup", "--outfile", profile);
      const bundle = gzipSync(readFileSync(join(folder, "index.js")));
      const measured = busyMs(JSON.parse(readFileSync(profile, "utf8")));
      return [bundle.length / 1000, { measured, yardstick: emptyProgramMs() }];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function run(...args: string[]): void {
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };
  const { status, stderr, stdout } = spawnSync(wrangler, args, {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`wrangler ${args.join(" ")}: ${stderr}${stdout}`);
}

/** CPU time rather than wall time, since other programs may run. */
function emptyProgramMs(): number {
  const printed =
    "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)";
  return Number(spawnSync(process.execPath, ["--eval", printed], { encoding: "utf8" }).stdout);
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
}

/** V8's sampling interval, ms. It takes no samples while another program has the core, so samples measure CPU time. */
const SAMPLE_MS = 1;

function busyMs({ nodes, samples }: Profile): number {
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
  );
  return SAMPLE_MS * samples.filter((id) => !idle.has(id)).length;
}
