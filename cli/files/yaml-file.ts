import { readFileSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "./open-file.ts";

/** The object in a file of YAML or JSON, unchecked. `such`: keys that it may have, for the error. Throws BadInput. */
export function readYamlFile(path: string, such: string): JsonObject {
  const lines = new LineCounter();
  const doc = parseDocument(textOf(path), { lineCounter: lines, prettyErrors: false });
  const [problem] = doc.errors;
  if (problem !== undefined) {
    const { line } = lines.linePos(problem.pos[0]);
    throw new BadInput(`${path}:${Math.max(1, line)}: it is not YAML: ${problem.message}`);
  }
  const value = plainValue(doc);
  if (isJsonObject(value)) return value;
  throw new BadInput(`${path}: expected keys with values, such as ${such}`);
}

/** The rubric in a file, unchecked. Throws BadInput. */
export const readRubric = (path: string): JsonObject =>
  readYamlFile(path, "name: … and criteria: …");

/** The rubric in a file as an option; none without a path. Throws BadInput. */
export const rubricOption = (path: string | undefined): JsonObject =>
  path === undefined ? {} : { rubric: readRubric(path) };

/** The template of an HTTP interface in a file, or of an address alone. Throws BadInput. */
export const readHttpTemplate = (given: string): JsonObject =>
  /^https?:\/\//.test(given) ? { url: given } : readYamlFile(given, "url: … and body: …");

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** Undefined if aliases contain themselves, or expand to more than a file may have. */
function plainValue(doc: ReturnType<typeof parseDocument>): unknown {
  try {
    const value: unknown = doc.toJS();
    JSON.stringify(value); // fails on what contains itself
    return value;
  } catch {
    return undefined;
  }
}
