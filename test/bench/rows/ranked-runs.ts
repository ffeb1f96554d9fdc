import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { ranked } from "../support/ranked.ts";
import { scoresOf } from "./comparison.ts";

const RUNS = 100;

/** A hundred runs read from their stored scores and ranked, every pair tested: what a board compares. */
export const rankedRuns: Bench = {
  repeats: 3,
  rows: [
    {
      name: "scoring/ranked-runs",
      what: "100 runs × 10,000 samples read one by one and ranked, every pair tested",
      unit: "ms",
      yardstick: "reading and parsing the same scores",
      target: { atMost: 2 },
    },
    {
      name: "scoring/ranked-runs-memory",
      what: "the same, in a small heap: most memory in use beyond what was there before",
      unit: "MB",
      target: { atMost: 64 },
    },
  ],
  prepare({ scale }, onEnd) {
    const samples = Math.max(2, Math.round(10_000 * Math.min(1, scale)));
    const folder = mkdtempSync(join(tmpdir(), "assay-ranked-"));
    onEnd(() => rmSync(folder, { recursive: true }));
    const files = Array.from({ length: RUNS }, (_, i) => join(folder, `${i}.json`));
    for (const [i, file] of files.entries())
      writeFileSync(file, JSON.stringify(scoresOf(i / 5, samples)));
    return async () => [
      cpuPair(
        0,
        () => ranked(files),
        () => {
          for (const file of files) JSON.parse(readFileSync(file, "utf8"));
        },
      ),
      (await peakBytes(files)) / 1e6,
    ];
  },
};

/** In a heap that lets no garbage pile up; rejects if it is too small. */
function peakBytes(files: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../support/ranking-worker.ts", import.meta.url), {
      workerData: files,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    });
    worker.on("message", resolve);
    worker.on("error", reject);
  });
}
