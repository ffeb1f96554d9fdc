import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Bench, NotHere } from "../bench.ts";
import { writeManySamples } from "../support/many-samples.ts";
import { type ScoredFilePaths, writeRepeated } from "../support/repeated-dataset.ts";

const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");
const script = join(import.meta.dirname, "../plain-scorer/score.py");

/** Samples (copies of the dataset) for Assay, and for the script, which is much slower. */
const SAMPLES = 7_200;
const SCRIPT_SAMPLES = 360;
const RESAMPLES = 10_000;

const scoring =
  "assay score extraction, 7,200 samples with every aggregate, interval and --samples: time per sample";

/** `assay score` compared with a Python script, each in its own process, including the start. */
export const offlineSpeed: Bench = {
  repeats: 3,
  rows: [
    {
      name: "offline/script",
      what: scoring,
      unit: "ms",
      yardstick: "a plain Python script from the specification with the same results",
      target: { atLeast: 25 },
    },
    {
      name: "offline/script-points",
      what: "the same",
      unit: "ms",
      yardstick: "that script without intervals",
    },
    {
      name: "offline/script-cpu",
      what: "the same, CPU time of all threads",
      unit: "ms",
      yardstick: "that script with intervals",
    },
  ],
  prepare({ dataset, scale }, onEnd) {
    if (run("python3", ["--version"]).status !== 0) throw new NotHere("python3 is not installed");
    const folders = ["many", "few"].map((name) => mkdtempSync(join(tmpdir(), `assay-${name}-`)));
    onEnd(() => {
      for (const folder of folders) rmSync(folder, { recursive: true });
    });
    const many = writeRepeated(dataset, SAMPLES * scale, folders[0]!);
    const few = writeRepeated(dataset, SCRIPT_SAMPLES * Math.min(1, scale), folders[1]!);
    const resamples = Math.max(10, Math.round(RESAMPLES * Math.min(1, scale)));
    return async () => {
      const ours = scoredHere(many);
      const whole = await scoredByScript(few, resamples);
      const points = await scoredByScript(few, 0);
      return [
        { measured: ours.msASample, yardstick: whole.msASample },
        { measured: ours.msASample, yardstick: points.msASample },
        { measured: ours.cpuMsASample, yardstick: whole.cpuMsASample },
      ];
    };
  },
};

interface Speed {
  msASample: number;
  cpuMsASample: number;
}

function scoredHere(files: ScoredFilePaths): Speed {
  const lines = `${files.samples}.scores`;
  const args = [launcher, "score", "extraction", "--dataset", files.samples];
  args.push("--answers", files.answers, "--samples", lines, "--json", "--stats");
  const begun = performance.now();
  const { stderr } = done(process.execPath, args);
  const ms = performance.now() - begun;
  const { samples, cpuSeconds } = JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as Stats;
  return { msASample: ms / samples, cpuMsASample: (1000 * cpuSeconds) / samples };
}

/**
 * Runs a copy of the script on every core, because `assay score` also uses all cores and a busy machine shares its time
 * among threads.
 */
async function scoredByScript(files: ScoredFilePaths, resamples: number): Promise<Speed> {
  const begun = performance.now();
  const cpuSeconds = await Promise.all(
    Array.from({ length: availableParallelism() }, (_, i) => scriptSeconds(files, resamples, i)),
  );
  const ms = performance.now() - begun;
  const meanSeconds = cpuSeconds.reduce((sum, one) => sum + one, 0) / cpuSeconds.length;
  return { msASample: ms / files.count, cpuMsASample: (1000 * meanSeconds) / files.count };
}

/** CPU time of one copy of the script. */
async function scriptSeconds(files: ScoredFilePaths, resamples: number, copy: number) {
  const args = [script, files.samples, files.answers];
  args.push("--samples", `${files.samples}.lines-${copy}`, "--resamples", `${resamples}`);
  const child = spawn("python3", args);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await ended) as [number | null];
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
  return (JSON.parse(stdout) as { cpuSeconds: number }).cpuSeconds;
}

/** Memory of `assay score` on a large file, in its own process. */
export const offlineMemory: Bench = {
  repeats: 3,
  rows: [
    { name: "offline/memory", what: "assay score, peak resident memory", unit: "MiB" },
    { name: "offline/memory-a-sample", what: "the same, beyond 1,000 samples", unit: "bytes" },
  ],
  prepare({ rows, scale }) {
    const count = Math.max(2, Math.round(rows * scale));
    return () => {
      const small = scoredOf(Math.min(1000, count));
      const large = scoredOf(count);
      const beyond = Math.max(1, large.samples - small.samples);
      const bytes = ((large.peakMemoryMb - small.peakMemoryMb) * 2 ** 20) / beyond;
      return [large.peakMemoryMb, bytes];
    };
  },
};

interface Stats {
  samples: number;
  cpuSeconds: number;
  peakMemoryMb: number;
}

function scoredOf(count: number): Stats {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const files = writeManySamples(folder, count);
    const args = ["--dataset", files.samples, "--answers", files.answers, "--json", "--stats"];
    const { stderr } = done(process.execPath, [launcher, "score", "extraction", ...args]);
    return JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as Stats;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28 });

function done(command: string, args: readonly string[]) {
  const ended = run(command, args);
  if (ended.status !== 0) throw new Error(`${args[0]} failed: ${ended.stderr}`);
  return ended;
}
