import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import type {
  BenchRecord,
  BenchResult,
  MissingRow,
} from "../../shared/contracts/operator/bench-record.ts";
import { thisMachine } from "../support/this-machine.ts";

const file = join(root, "site", "src", "data", "docs", "bench.json");

/** Saves a run of all benches for the site. */
export function record(results: readonly BenchResult[], missing: readonly MissingRow[]): void {
  const content: BenchRecord = {
    date: new Date().toISOString().slice(0, 10),
    machine: { ...thisMachine(), node: process.versions.node, commit: commit() },
    results,
    missing,
  };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

const commit = (): string =>
  execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
