import { type Document, LineCounter, parseDocument } from "yaml";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { httpTemplateSchema } from "#shared/contracts/submissions/http-template.ts";
import { BadInput } from "../errors.ts";
import { readText } from "./open-file.ts";

/** Time to parse grows with the square of the number of keys. */
const MAX_BYTES = 1 << 20;

/** A file of YAML or JSON, parsed, with the places of its lines. Throws BadInput if it can't be read. */
export function openYaml(path: string): { doc: Document; lines: LineCounter } {
  const lines = new LineCounter();
  // Pretty errors would quote lines, which may contain a key.
  const options = { lineCounter: lines, prettyErrors: false, merge: true };
  return { doc: parseDocument(readText(path, MAX_BYTES), options), lines };
}

/** The object in a file of YAML or JSON, unchecked. `such`: keys that it may have, for the error. Throws BadInput. */
export function readYamlFile(path: string, such: string): JsonObject {
  const { doc, lines } = openYaml(path);
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
export function readHttpTemplate(given: string): JsonObject {
  if (/^https?:\/\//.test(given)) return { url: given };
  const template = readYamlFile(given, "url: … and body: …");
  const { error } = httpTemplateSchema.safeParse(template);
  const [problem] = error === undefined ? [] : fieldErrors(error.issues, template);
  if (problem === undefined) return template;
  const keys = Object.keys(httpTemplateSchema.shape).join(", ");
  throw new BadInput(`${given}: ${problem.pointer}: ${problem.detail}; its keys are ${keys}`);
}

/** The content of a file; undefined if aliases contain themselves, or expand to more than a file may have. */
export function plainValue(doc: Document): unknown {
  try {
    const value: unknown = doc.toJS();
    JSON.stringify(value); // fails on what contains itself
    return value;
  } catch {
    return undefined;
  }
}
