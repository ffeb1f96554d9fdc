import { type Schema, Validator } from "@cfworker/json-schema";
import { resultJsonSchema } from "../../../cli/command-line/command.ts";
import { commands } from "../../../cli/command-line/commands.ts";

const validators = new Map<string, Validator>();

/** Throws if what a command printed with `--json` does not match the schema that `--json-schema` prints. */
export function checkJson(args: readonly string[], stdout: string): void {
  const command = commands.find(({ name }) =>
    name.split(" ").every((word, place) => args[place] === word),
  );
  if (command === undefined || !args.includes("--json") || !/^[[{]/.test(stdout)) return;
  const { name } = command;
  const validator =
    validators.get(name) ?? new Validator(resultJsonSchema(command) as Schema, "2020-12");
  validators.set(name, validator);
  const { valid, errors } = validator.validate(JSON.parse(stdout));
  if (valid) return;
  const found = errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
  throw new Error(`assay ${name} --json differs from its schema:\n${found.join("\n")}`);
}
