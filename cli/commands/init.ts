import { writeFileSync } from "node:fs";
import { BadInput } from "../bad-input.ts";
import { startingConfig } from "../config/starting-config.ts";
import { serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { writeProblem } from "../score/open-file.ts";
import { command } from "./command.ts";

const USUAL_FILE = "assay.yaml";

const help = `assay init [file] [options]

Writes a config file for assay run, with a comment on every key. A file that is there is left as it is.

  [file]            where to; without it, ${USUAL_FILE}
  ${serverHelp};
                    editors complete the file by the JSON Schema at <service>/schema/run-config.json
  --json            print {file, schema} as one JSON object
  --help            show this

Nothing is asked of the service.

Exit code: 0 when it was written, 2 when it can't be.

Examples
  assay init
  assay init evaluations/small.yaml --server https://assay.example.com`;

/** `assay init`: writes a config file to begin with. */
export const initCommand = command({
  name: "init",
  summary: "write a config file for assay run",
  help,
  flags: { ...serviceFlags, json: { type: "boolean" } },
  async run(values, [file = USUAL_FILE, surplus], { stdout }) {
    if (surplus !== undefined) throw new BadInput(`one file at a time; "${surplus}" is too much`);
    const schema = `${serviceOf(values, "submit").origin}/schema/run-config.json`;
    try {
      writeFileSync(file, startingConfig(schema), { flag: "wx" });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") {
        throw new BadInput(`${file}: it is there already; give another name`);
      }
      if (code === "ENOENT") throw new BadInput(`${file}: its folder is not there; make it first`);
      throw writeProblem(file, error);
    }
    const advice = `${file} is written; set its model, then: assay test-connection --config ${file} and assay run --config ${file}`;
    stdout.write(`${values.json ? JSON.stringify({ file, schema }, null, 2) : advice}\n`);
  },
});
