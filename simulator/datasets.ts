import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "../shared/contracts/json.ts";

/** The path of a JSONL file, or its rows. */
export type DatasetSource = string | readonly JsonObject[];

/**
 * All rows of all datasets, in order. Lines that are not JSON objects are left out, since datasets
 * with malformed rows are evaluated too. Throws one sentence for a file that can't be read.
 */
export function loadDatasets(sources: readonly DatasetSource[]): JsonObject[] {
  return sources.flatMap((source) => (typeof source === "string" ? readRows(source) : source));
}

function readRows(path: string): JsonObject[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`The dataset ${path} can't be read: ${(error as Error).message}.`);
  }
  return text.split("\n").flatMap((line) => {
    const row = parseLine(line);
    return row === null ? [] : [row];
  });
}

function parseLine(line: string): JsonObject | null {
  try {
    const row: unknown = JSON.parse(line);
    return isJsonObject(row) ? row : null;
  } catch {
    return null;
  }
}
