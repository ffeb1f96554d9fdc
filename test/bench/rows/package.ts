import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../../cli/pack/build-package.ts";
import type { Bench } from "../bench.ts";
import { writeManySamples } from "../support/many-samples.ts";

/** Samples of the scored file: enough for some work, few enough that the start dominates. */
const SAMPLES = 10;

/** Size of the installed npm package, and the time to its first result without Node's code cache. */
export const installedPackage: Bench = {
  repeats: 5,
  rows: [
    {
      name: "package/size",
      what: "the npm package, installed",
      unit: "MB",
      target: { atMost: 5 },
    },
    {
      name: "package/first-answer",
      what: `assay score of ${SAMPLES} samples with it for the first time`,
      unit: "ms",
      yardstick: "an empty program in Node",
      target: { atMost: 15 },
    },
  ],
  async prepare(_, onEnd) {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    onEnd(() => rmSync(folder, { recursive: true, force: true }));
    const installed = join(folder, "node_modules", "assay-evals");
    await buildPackage(installed);
    const { samples, answers } = writeManySamples(folder, SAMPLES);
    const files = ["--dataset", samples, "--answers", answers];
    const score = [join(installed, "cli", "assay.mjs"), "score", "extraction", ...files];
    return () => [
      sizeMb(installed),
      { measured: milliseconds(score), yardstick: milliseconds(["--eval", ""]) },
    ];
  },
};

const sizeMb = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;

function milliseconds(args: readonly string[]): number {
  const begun = performance.now();
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return performance.now() - begun;
}
