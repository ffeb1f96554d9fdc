import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { writeManySamples } from "../support/many-samples.ts";

const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");

/** `assay score` on a large file, in a process of its own: speed and memory. */
export const offline: Bench = {
  repeats: 3,
  rows: [
    { name: "offline/samples", what: "assay score, samples in the file", unit: "samples" },
    { name: "offline/speed", what: "the same, start and intervals included", unit: "samples/s" },
    { name: "offline/memory", what: "the same, peak resident memory", unit: "MiB" },
    { name: "offline/memory-a-sample", what: "the same, beyond 1,000 samples", unit: "bytes" },
  ],
  prepare({ rows, scale }) {
    const count = Math.max(2, Math.round(rows * scale));
    return () => {
      const small = scored(Math.min(1000, count));
      const large = scored(count);
      const beyond = Math.max(1, large.samples - small.samples);
      const bytes = ((large.peakMemoryMb - small.peakMemoryMb) * 2 ** 20) / beyond;
      return [large.samples, large.samples / large.seconds, large.peakMemoryMb, bytes];
    };
  },
};

interface Stats {
  samples: number;
  seconds: number;
  peakMemoryMb: number;
}

function scored(count: number): Stats {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const files = writeManySamples(folder, count);
    const args = ["--dataset", files.samples, "--answers", files.answers, "--json", "--stats"];
    const { status, stderr } = spawnSync(
      process.execPath,
      [launcher, "score", "extraction", ...args],
      {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      },
    );
    if (status !== 0) throw new Error(`assay score failed: ${stderr}`);
    return JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as Stats;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
