import { BadInput } from "../bad-input.ts";
import { findingText, type PlacedFinding } from "../config/finding.ts";
import { idleKeys } from "../config/idle-keys.ts";
import { planOf } from "../config/plan.ts";
import { readRunConfig } from "../config/read-run-config.ts";
import { printable } from "../printable.ts";
import { counted } from "../score/format-value.ts";
import { command } from "./command.ts";

const help = `assay validate-config <file> [options]

Says what is wrong with a config file of assay run, line by line, and which keys have no effect and why.
Nothing is sent anywhere, and no variable of the environment is read.

  <file>            the file, YAML
  --json            print {file, valid, findings: [{severity, line, key, message}]}
  --help            show this

What a flag of assay run can give may lack, which is a warning.

Exit code: 0 when it can be run, warnings or not; 2 when it can't, or there is no such file.

Examples
  assay validate-config assay.yaml
  assay validate-config assay.yaml --json`;

const flags = { json: { type: "boolean" } } as const;

/** `assay validate-config`: what is wrong with a config file. */
export const validateConfigCommand = command({
  name: "validate-config",
  summary: "check a config file of assay run",
  help,
  flags,
  async run({ json }, [file, surplus], { stdout }) {
    if (file === undefined) throw new BadInput("name the config file, as assay.yaml");
    if (surplus !== undefined) throw new BadInput(`one file at a time; "${surplus}" is too much`);
    const { summary, findings } = checkConfig(file);
    const valid = summary !== null;
    const lines = findings.map((finding) => findingText(file, finding));
    const said = [...lines, ...(valid ? [`${file}: can be run: ${summary}`] : [])].map(printable);
    const printed = json ? JSON.stringify({ file, valid, findings }, null, 2) : said.join("\n");
    stdout.write(`${printed}\n`);
    if (valid) return;
    const errors = findings.filter(({ severity }) => severity === "error").length;
    throw new BadInput(`${file}: ${counted(errors, "error")}`);
  },
});

/** A file that was checked. */
interface Checked {
  /** What it asks for, in a few words; null where an error is among the findings. */
  summary: string | null;
  findings: PlacedFinding[];
}

/**
 * All that is to say of a config file, by line. What lacks is a warning: flags may give it. Throws BadInput
 * where the file can't be read.
 */
function checkConfig(path: string): Checked {
  const { config, findings, place } = readRunConfig(path);
  if (config === null) return { summary: null, findings };
  const { findings: more, lacking, plan } = planOf(config);
  const wanted = place(lacking).map((one) => ({ ...one, severity: "warning" as const }));
  const all = [...findings, ...place([...idleKeys(config), ...more]), ...wanted].sort(
    (a, b) => a.line - b.line,
  );
  const isWrong = all.some(({ severity }) => severity === "error");
  return { summary: isWrong ? null : summaryOf(plan), findings: all };
}

function summaryOf(plan: ReturnType<typeof planOf>["plan"]): string {
  if (plan === null) return "with flags for what lacks";
  const { suite, request } = plan;
  const names = request.models.map(({ name }) => name).join(", ");
  return `${suite.id} on ${request.dataset}, ${names}`;
}
