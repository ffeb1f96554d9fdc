import { z } from "zod";
import { fieldRulesSchema } from "#shared/suites/extraction/score/fields/field-rule.ts";
import {
  ignoredRules,
  schemaRules,
  withSticklerRules,
} from "#shared/suites/extraction/score/fields/field-rules.ts";
import { command, jsonFlag, valueFlag } from "../../command-line/command.ts";
import { BadInput } from "../../errors.ts";
import { readJsonObject } from "../../files/open-file.ts";
import { refuseStdout, withOutput } from "../../files/output-file.ts";
import { readYamlFile } from "../../files/yaml-file.ts";
import { schemaProblem } from "../../score/schema-problem.ts";
import { printable } from "../../terminal/text.ts";

const json = jsonFlag(
  z.object({
    value: z.record(z.string(), z.unknown()).meta({ description: "the options, or the schema" }),
    left: z.array(z.string()).meta({ description: "fields whose rules could not be written" }),
    ignored: z.array(z.string()).meta({ description: "rules of the schema that are not valid" }),
  }),
);
const optionsSchema = z.looseObject({ fieldRules: fieldRulesSchema });

/** `assay dataset rules`: field rules in keywords of a JSON Schema. */
export const datasetRulesCommand = command({
  name: "dataset rules",
  summary: "print the field rules of a JSON Schema, or write them for Stickler",
  description: [
    "Prints the field rules of a JSON Schema (x-assay-rule, or keywords of Stickler) as the option fieldRules. With --rules, prints the schema with these rules as keywords of Stickler.",
  ],
  positionals: [{ name: "schema", help: "A file with a JSON Schema" }],
  flags: {
    rules: valueFlag("FILE", "Options with fieldRules, YAML or JSON"),
    out: valueFlag("FILE", "Write to FILE instead of standard output"),
    json,
  },
  examples: [
    "assay dataset rules ticket.json > options.json",
    "assay dataset rules ticket.json --rules options.json --out ticket.stickler.json",
  ],
  async run({ rules: path, out, json: isJson = false }, [file], { stdout, stderr }) {
    if (isJson) refuseStdout("out", out);
    const schema = readJsonObject(file);
    const { value, left } =
      path === undefined
        ? { value: { fieldRules: Object.fromEntries(schemaRules(schema)) }, left: [] }
        : written(schema, path);
    await withOutput(
      { out: out ?? (isJson ? null : "-"), stdout },
      [file, ...(path === undefined ? [] : [path])],
      async (to) => {
        to?.add(JSON.stringify(value, null, 2));
      },
    );
    const ignored = ignoredRules(schema);
    if (isJson) stdout.write(`${json.text({ value, left, ignored })}\n`);
    const notes = [
      ...ignored,
      ...left.map(
        (name) => `${name}: left out: Stickler has no such rule, or the schema no such field`,
      ),
    ];
    stderr.write(notes.map((note) => `${printable(note)}\n`).join(""));
  },
});

function written(schema: ReturnType<typeof readJsonObject>, path: string) {
  const given = readYamlFile(path, "fieldRules: …");
  const checked = optionsSchema.safeParse(given);
  if (!checked.success) {
    throw new BadInput(
      `${path}: ${schemaProblem(checked.error.issues, given, ["fieldRules"], "the options")}`,
    );
  }
  const { schema: value, left } = withSticklerRules(schema, checked.data.fieldRules);
  return { value, left };
}
