import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "./open-file.ts";

/** The JSON value of a file. Throws BadInput. */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw fileProblem(path, error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`${path}: not JSON: ${(error as Error).message}`);
  }
}

/** The JSON object of a file; without a path an empty one. Throws BadInput. */
export function readJsonObject(path: string | undefined): JsonObject {
  const value = path === undefined ? {} : readJson(path);
  if (isJsonObject(value)) return value;
  throw new BadInput(`${path}: not a JSON object`);
}
