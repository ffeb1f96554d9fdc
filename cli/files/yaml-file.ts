import { type Document, LineCounter, parseDocument } from "yaml";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { httpTemplateSchema } from "#shared/contracts/submissions/http-template.ts";
import { BadInput } from "../errors.ts";
import { readText } from "./open-file.ts";

/** Time to parse grows with the square of the number of keys. */
const MAX_BYTES = 1 << 20;

/** A parsed YAML or JSON file with its line positions. Throws BadInput if it can't be read. */
export function openYaml(path: string): { doc: Document; lines: LineCounter } {
  const lines = new LineCounter();
  // Pretty errors would quote lines, which may contain a key.
  const options = { lineCounter: lines, prettyErrors: false, merge: true };
  return { doc: parseDocument(readText(path, MAX_BYTES), options), lines };
}

/** The unchecked object in a YAML or JSON file. `such`: examples of its keys, for the error. Throws BadInput. */
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

/** The rubric in a file as an option; empty without a path. Throws BadInput. */
export const rubricOption = (path: string | undefined): JsonObject =>
  path === undefined ? {} : { rubric: readRubric(path) };

/** The template of an HTTP interface from a file, or from only an address. Throws BadInput. */
export function readHttpTemplate(given: string): JsonObject {
  if (/^https?:\/\//.test(given)) return { url: given };
  const template = readYamlFile(given, "url: … and body: …");
  const { error } = httpTemplateSchema.safeParse(template);
  const [problem] = error === undefined ? [] : fieldErrors(error.issues, template);
  if (problem === undefined) return template;
  const keys = Object.keys(httpTemplateSchema.shape).join(", ");
  throw new BadInput(`${given}: ${problem.pointer}: ${problem.detail}; its keys are ${keys}`);
}

/** The content of a file; undefined if an alias contains itself, or aliases expand above the size limit. */
export function plainValue(doc: Document): unknown {
  try {
    const value: unknown = doc.toJS();
    JSON.stringify(value); // throws for circular aliases
    return value;
  } catch {
    return undefined;
  }
}
