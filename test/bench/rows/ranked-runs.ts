import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { compareFolders } from "../../../cli/compare/compare-folders.ts";
import { assay } from "../../cli/support/assay.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { writeManySamples } from "../support/many-samples.ts";

const RUNS = 100;

/** Comparing a hundred result folders: each is read once and ranked, with tests of every pair, as on a board. */
export const rankedRuns: Bench = {
  repeats: 3,
  rows: [
    {
      name: "scoring/ranked-runs",
      what: "assay compare of 100 result folders × 10,000 samples: reading, ranking and testing every pair",
      unit: "ms",
      yardstick: "one pass over the same lines: reading and parsing",
      target: { atMost: 2 },
    },
    {
      name: "scoring/ranked-runs-memory",
      what: "the same, in a small heap: peak additional memory",
      unit: "MB",
      target: { atMost: 64 },
    },
  ],
  async prepare({ scale }, onEnd) {
    const samples = Math.max(2, Math.round(10_000 * Math.min(1, scale)));
    const folder = mkdtempSync(join(tmpdir(), "assay-ranked-"));
    onEnd(() => rmSync(folder, { recursive: true }));
    const folders = await resultFolders(folder, samples);
    return async () => [
      cpuPair(
        0,
        () => compareFolders(folders),
        () => {
          for (const one of folders) plainPass(join(one, "samples.jsonl"));
        },
      ),
      (await peakBytes(folders)) / 1e6,
    ];
  },
};

function plainPass(file: string): void {
  for (const line of readFileSync(file, "utf8").split("\n")) if (line !== "") JSON.parse(line);
}

/** Writes folders with the results of one scoring, each with permuted scores. */
async function resultFolders(folder: string, samples: number): Promise<string[]> {
  writeManySamples(folder, samples);
  const args = ["--dataset", "samples.jsonl", "--answers", "answers.jsonl", "--json"];
  args.push("--samples", "lines.jsonl");
  const { stdout } = await assay(folder, ["score", "extraction", ...args]);
  const rows = readFileSync(join(folder, "lines.jsonl"), "utf8").trimEnd().split("\n");
  const summary = JSON.parse(stdout) as Record<string, unknown>;
  return Array.from({ length: RUNS }, (_, run) => {
    const path = join(folder, `run-${run}`);
    mkdirSync(path);
    const permuted = rows.map((_line, i) =>
      rows[(i * (run + 1) + run) % rows.length]!.replace(/"sample-\d+"/, `"sample-${i}"`),
    );
    writeFileSync(join(path, "samples.jsonl"), `${permuted.join("\n")}\n`);
    writeFileSync(join(path, "summary.json"), JSON.stringify({ ...summary, seed: `run-${run}` }));
    return path;
  });
}

/** Peak memory in a heap that is too small for much garbage; rejects if it does not suffice. */
function peakBytes(folders: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../support/ranking-worker.ts", import.meta.url), {
      workerData: folders,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 },
    });
    worker.on("message", resolve);
    worker.on("error", reject);
  });
}
