import { readFileSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "./open-file.ts";

/** The rubric in a file of YAML or JSON, unchecked. Throws BadInput. */
export function readRubric(path: string): JsonObject {
  const lines = new LineCounter();
  const doc = parseDocument(textOf(path), { lineCounter: lines, prettyErrors: false });
  const [problem] = doc.errors;
  if (problem !== undefined) {
    const { line } = lines.linePos(problem.pos[0]);
    throw new BadInput(`${path}:${Math.max(1, line)}: it is not YAML: ${problem.message}`);
  }
  const value = plainValue(doc);
  if (isJsonObject(value)) return value;
  throw new BadInput(`${path}: expected keys with values, such as name: … and criteria: …`);
}

/** The rubric in a file as an option; none without a path. Throws BadInput. */
export const rubricOption = (path: string | undefined): JsonObject =>
  path === undefined ? {} : { rubric: readRubric(path) };

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** Undefined if aliases contain themselves, or expand to more than a rubric may have. */
function plainValue(doc: ReturnType<typeof parseDocument>): unknown {
  try {
    const value: unknown = doc.toJS();
    JSON.stringify(value); // fails on what contains itself
    return value;
  } catch {
    return undefined;
  }
}
