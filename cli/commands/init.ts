import { readFileSync } from "node:fs";
import { z } from "zod";
import { command, jsonFlag } from "../command-line/command.ts";
import { suiteIds } from "../command-line/suite-choice.ts";
import { writeNew } from "../files/open-file.ts";
import { serviceFlags, serviceOf } from "../remote/service-flags.ts";

const USUAL_FILE = "assay.yaml";

const flags = {
  ...serviceFlags,
  json: jsonFlag(
    z.object({ file: z.string(), schema: z.string() }),
    "Print {file, schema} as JSON",
  ),
} as const;

/** `assay init`: writes a commented config file. */
export const initCommand = command({
  name: "init",
  summary: "write a config file for assay run",
  description: [
    "Writes a config file for assay run, with a comment on every key. Never overwrites a file. Nothing is sent to the service.",
  ],
  positionals: [
    { name: "file", help: `Path of the new file; default ${USUAL_FILE}`, optional: true },
  ],
  flags,
  notes: ["Editors complete the file by the JSON Schema at <service>/schema/run-config.json."],
  examples: ["assay init", "assay init evaluations/small.yaml --server https://assay.example.com"],
  async run(values, [file = USUAL_FILE], { stdout }) {
    const schema = `${serviceOf(values, "submit").origin}/schema/run-config.json`;
    writeNew([file, startingConfig(schema)]);
    const advice = `Wrote ${file}. Set its model, then run assay test-connection --config ${file} and assay run --config ${file}`;
    stdout.write(`${values.json ? flags.json.text({ file, schema }) : advice}\n`);
  },
});

/** The config file. `schema`: address of the JSON Schema, for completion in editors. */
const startingConfig = (schema: string): string =>
  readFileSync(new URL("../config/starting-config.yaml", import.meta.url), "utf8")
    .replace("{schema}", schema)
    .replace("{suites}", suiteIds.join(", "));
