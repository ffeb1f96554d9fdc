import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Writable } from "node:stream";
import type { RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { type Finding, findingText, keyText, type PlacedFinding } from "../config/finding.ts";
import {
  type ConfigOverrides,
  environmentOverrides,
  overrideConfig,
} from "../config/override-config.ts";
import { type Plan, planOf } from "../config/plan.ts";
import { readRunConfig } from "../config/read-run-config.ts";
import { unusedKeys } from "../config/unused-keys.ts";
import { BadInput } from "../errors.ts";
import { printable } from "../terminal/text.ts";
import { isDatasetFile } from "./fit-request.ts";

/**
 * The run to submit, and the folder in which its programs run. Precedence: flags, then environment, then file. Warnings
 * go to `stderr`.
 */
export function requestedRun(
  file: string | undefined,
  flags: ConfigOverrides,
  stderr: Writable,
): { plan: Plan; config: RunConfig; folder: string } {
  const set = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const given = { ...environmentOverrides(process.env), ...set };
  if (file === undefined) {
    const config = overrideConfig({}, given);
    const { plan, findings, lacking } = planOf(config);
    // A rubric error names the file; other errors name the flag.
    const textOf = ({ path, message }: Finding) =>
      path[0] === "rubric" ? `${given.rubric}: ${keyText(path)}: ${message}` : message;
    const all = [...findings, ...lacking];
    const wrong = all.find(({ severity }) => severity === "error");
    if (plan === null) throw new BadInput(wrong && textOf(wrong));
    for (const one of all) stderr.write(`warning: ${printable(textOf(one))}\n`);
    return { plan: withFile(plan, "."), config, folder: "." };
  }
  const read = readRunConfig(file);
  if (read.config === null) throw refused(file, read.findings);
  const config = overrideConfig(read.config, given);
  const { plan, findings, lacking } = planOf(config);
  const more = [...unusedKeys(config), ...findings, ...lacking];
  const all = [...read.findings, ...read.locate(more)];
  if (plan === null) throw refused(file, all);
  for (const one of all) stderr.write(`${printable(findingText(file, one))}\n`);
  // A command from a flag runs in the working folder.
  const folder = dirname(file);
  const inFolder = withFile(plan, given.dataset === undefined ? folder : ".");
  return { plan: inFolder, config, folder: given.exec === undefined ? folder : "." };
}

/** Resolves a dataset file in the folder. Throws BadInput if it does not exist. */
export function withFile(plan: Plan, folder: string): Plan {
  const { dataset } = plan.request;
  if (!isDatasetFile(dataset)) return plan;
  const path = isAbsolute(dataset) ? dataset : join(folder, dataset);
  if (!existsSync(path)) throw new BadInput(`${path}: there is no such file`);
  return { ...plan, request: { ...plan.request, dataset: path } };
}

function refused(file: string, findings: readonly PlacedFinding[]): BadInput {
  const errors = findings.filter(({ severity }) => severity === "error");
  const more =
    errors.length > 1
      ? `; and ${errors.length - 1} more: assay validate-config ${file} lists them`
      : "";
  // A misspelt key is often the reason why another key is missing.
  const unknown = findings.find(({ message }) => message.startsWith("no effect: unknown key"));
  const also = unknown === undefined ? "" : `; ${unknown.key}: ${unknown.message}`;
  return new BadInput(`${findingText(file, errors[0]!)}${also}${more}`);
}
