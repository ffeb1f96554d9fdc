import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import {
  type Finding,
  failure,
  findingText,
  type PlacedFinding,
  placedFindingSchema,
  warning,
} from "../config/finding.ts";
import { type Plan, planOf } from "../config/plan.ts";
import { readRunConfig, usualFiles } from "../config/read-run-config.ts";
import { modelsOf } from "../config/suite-options.ts";
import { unusedKeys } from "../config/unused-keys.ts";
import { BadInput } from "../errors.ts";
import { endpointKeys } from "../run/endpoint-keys.ts";
import { withFile } from "../run/requested-run.ts";
import { printable } from "../terminal/text.ts";

const flags = {
  config: valueFlag("FILE", "The same as the argument"),
  json: jsonFlag(
    z.object({ file: z.string(), valid: z.boolean(), findings: z.array(placedFindingSchema) }),
    "Print {file, valid, findings: [{severity, line, key, message}]} as JSON",
  ),
} as const;

/** `assay validate-config`: checks a config file. */
export const validateConfigCommand = command({
  name: "validate-config",
  summary: "check a config file of assay run",
  description: [
    "Lists the errors of a config file by line, and keys that have no effect, with the reason. Also lists what assay run would not find on this machine: the dataset file, and variables with keys (only a warning). Sends nothing.",
  ],
  usage: ["assay validate-config [FILE] [options]"],
  positionals: [
    { name: "file", help: "YAML file; default: assay.yaml, else config.yaml", optional: true },
  ],
  flags,
  exitCodes: {
    0: "The file can be run, with or without warnings",
    2: "The file cannot be run or read",
  },
  notes: ["A missing key that a flag of assay run can replace is a warning."],
  examples: ["assay validate-config", "assay validate-config other.yaml --json"],
  async run({ json, config }, [named], { stdout }) {
    if (named !== undefined && config !== undefined) {
      throw new BadInput("give one file, such as assay validate-config assay.yaml");
    }
    const file = named ?? config ?? usualFiles.find((one) => existsSync(one));
    if (file === undefined) {
      throw new BadInput(
        `there is no ${usualFiles.join(" or ")} here: name a file; assay init writes one`,
      );
    }
    const { summary, findings } = checkConfig(file);
    const valid = summary !== null;
    const lines = findings.map((finding) => findingText(file, finding));
    const printedLines = [...lines, ...(valid ? [`${file} is valid: ${summary}`] : [])].map(
      printable,
    );
    const printed = json ? flags.json.text({ file, valid, findings }) : printedLines.join("\n");
    stdout.write(`${printed}\n`);
    if (valid) return;
    const errors = findings.filter(({ severity }) => severity === "error").length;
    throw new BadInput(`${file}: ${counted(errors, "error")}`);
  },
});

/** A checked file. */
interface Checked {
  /** One line about the described run; null if there are errors. */
  summary: string | null;
  findings: PlacedFinding[];
}

/**
 * All findings on a config file, by line. Missing keys are warnings, because flags can replace them. Throws
 * BadInput if the file cannot be read.
 */
function checkConfig(path: string): Checked {
  const { config, findings, locate } = readRunConfig(path);
  if (config === null) return { summary: null, findings };
  const { findings: more, lacking, plan } = planOf(config);
  const wanted = locate(lacking).map((one) => ({ ...one, severity: "warning" as const }));
  const here = plan === null ? [] : missingHere(config, plan, dirname(path));
  const all = [...findings, ...locate([...unusedKeys(config), ...more, ...here]), ...wanted].sort(
    (a, b) => a.line - b.line,
  );
  const isWrong = all.some(({ severity }) => severity === "error");
  return { summary: isWrong ? null : summaryOf(plan), findings: all };
}

/** Files and keys that are missing on this machine; missing keys are warnings, since the run may be elsewhere. */
function missingHere(config: RunConfig, plan: Plan, folder: string): Finding[] {
  const { request, secrets } = plan;
  const ofModels = modelsOf(config).flatMap(([path], i) => {
    const one = { request: { ...request, models: [request.models[i]!] }, secrets: [secrets[i]!] };
    const problem = problemOf(() => endpointKeys(one, process.env));
    return problem === null ? [] : [warning(path, problem)];
  });
  const problem = problemOf(() => withFile(plan, folder));
  return problem === null ? ofModels : [failure(["dataset", "name"], problem), ...ofModels];
}

function problemOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

function summaryOf(plan: ReturnType<typeof planOf>["plan"]): string {
  if (plan === null) return "with flags for the missing keys";
  const { suite, request } = plan;
  const names = request.models.map(({ name }) => name).join(", ");
  return `${suite.id} on ${request.dataset}, ${names}`;
}
