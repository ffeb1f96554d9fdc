import { BadInput } from "../bad-input.ts";
import { checkConfig } from "../config/check-config.ts";
import { findingText } from "../config/finding.ts";
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
