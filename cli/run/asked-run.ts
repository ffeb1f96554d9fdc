import type { Writable } from "node:stream";
import type { RunConfig } from "#shared/contracts/run-config.ts";
import { BadInput } from "../bad-input.ts";
import { findingText, type PlacedFinding } from "../config/finding.ts";
import { idleKeys } from "../config/idle-keys.ts";
import { type Given, givenByEnvironment, overlaid } from "../config/overlaid.ts";
import { type Plan, planOf } from "../config/plan.ts";
import { readRunConfig } from "../config/read-run-config.ts";
import { printable } from "../printable.ts";

/** What to run: the file's, then the environment's, then the flags' word. Warnings are told on `stderr`. */
export function askedRun(
  file: string | undefined,
  flags: Given,
  stderr: Writable,
): { plan: Plan; config: RunConfig } {
  const set = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const given = { ...givenByEnvironment(process.env), ...set };
  if (file === undefined) {
    const config = overlaid({}, given);
    const { plan, findings, lacking } = planOf(config);
    if (plan !== null) return { plan, config };
    const wrong = [...findings, ...lacking].find(({ severity }) => severity === "error");
    throw new BadInput(wrong?.message);
  }
  const read = readRunConfig(file);
  if (read.config === null) throw refused(file, read.findings);
  const config = overlaid(read.config, given);
  const { plan, findings, lacking } = planOf(config);
  const more = [...idleKeys(config), ...findings, ...lacking];
  const all = [...read.findings, ...read.place(more)];
  if (plan === null) throw refused(file, all);
  for (const one of all) stderr.write(`${printable(findingText(file, one))}\n`);
  return { plan, config };
}

function refused(file: string, findings: readonly PlacedFinding[]): BadInput {
  const errors = findings.filter(({ severity }) => severity === "error");
  const more =
    errors.length > 1
      ? `; and ${errors.length - 1} more: assay validate-config ${file} lists them`
      : "";
  return new BadInput(`${findingText(file, errors[0]!)}${more}`);
}
