import { spawn } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { type Schema, Validator } from "@cfworker/json-schema";
import { resultJsonSchema } from "../../../cli/command-line/command.ts";
import { commands } from "../../../cli/command-line/commands.ts";
import { runAssay } from "../../../cli/command-line/run-assay.ts";

/** The launcher that users start. */
export const launcher = join(import.meta.dirname, "../../../cli/assay.mjs");

/** Result of a command. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs `assay` in this process with arguments as a list or separated by spaces, and `input` on standard input.
 * Arguments that end in `.json`, `.jsonl` or a slash are resolved in `folder`, whose path is removed from the
 * output. The result of `--json` is checked against the command's schema.
 */
export async function assay(
  folder: string,
  given: string | readonly string[],
  input: string | Buffer = "",
): Promise<Outcome> {
  const args = typeof given === "string" ? given.split(" ") : given;
  // Set by the test runner in a terminal; it would colour the output.
  delete process.env["FORCE_COLOR"];
  const [stdout, stderr] = [gathering(), gathering()];
  const placed = args.map((arg) => (/\.jsonl?$|\/$/.test(arg) ? join(folder, arg) : arg));
  const stdin = Readable.from([Buffer.from(input)]);
  const terminal = { stdin, stdout: stdout.stream, stderr: stderr.stream };
  const code = await runAssay(placed, terminal);
  checkJson(args, stdout.text());
  const printed = (text: string) => text.replaceAll(`${folder}/`, "");
  return { code, stdout: printed(stdout.text()), stderr: printed(stderr.text()) };
}

/** Runs the launcher as a user would, in a process of its own. */
export function assayProcess(
  args: readonly string[],
  input = "",
  program: string = launcher,
): Promise<Outcome> {
  const child = spawn(process.execPath, [program, ...args]);
  const [stdout, stderr] = [gathering(), gathering()];
  child.stdout.pipe(stdout.stream);
  child.stderr.pipe(stderr.stream);
  // A command that stops early does not read its input to the end.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, stdout: stdout.text(), stderr: stderr.text() }));
  });
}

/** A stream, and the text written to it. */
export function gathering() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

const validators = new Map<string, Validator>();

/** Throws if what a command printed with `--json` does not match the schema that `--json-schema` prints. */
function checkJson(args: readonly string[], stdout: string): void {
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
