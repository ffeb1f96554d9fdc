import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import { thisMachine } from "../support/this-machine.ts";
import type { Verdict } from "./judge.ts";

const file = join(root, "site", "src", "data", "docs", "fault-proof.json");

/** Writes what the site shows of a proof, and on what machine it was made. */
export function record({ rows, figures }: Verdict, seed: string, seconds: number): void {
  const machine = thisMachine();
  const date = new Date().toISOString().slice(0, 10);
  const content = { date, seed, seconds: Math.round(seconds), machine, figures, rows };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
