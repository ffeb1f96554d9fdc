import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { documentRows } from "#shared/measures/datasets/folder-rows.ts";
import { BadInput } from "../errors.ts";
import { fileProblem, filesIn, readJson } from "../files/open-file.ts";
import { inFolder } from "./row-mapping.ts";

/** Maximum bytes of all files together, which are in memory at the same time. */
const MOST_BYTES = 256 << 20;

/**
 * The rows of a folder of documents, each with the parts of its path and the contents of its files: JSON for `*.json`,
 * otherwise text. Links are not followed. Throws BadInput.
 * @example folderRows("receipts", { gold: "gold/{id}.json", text: "text/{id}.txt" }) // [{ id: "a", gold: {…}, text: "…" }]
 */
export function folderRows(folder: string, fields: Readonly<Record<string, string>>): JsonObject[] {
  const rows = documentRows(filesIn(folder), fields);
  if (!rows.ok) throw new BadInput(`${folder}: ${rows.error}`);
  const read = reader(folder);
  return rows.value.map(({ parts, files }) => {
    const contents = Object.entries(files).map(([field, path]) => [field, read(path)] as const);
    return { ...parts, ...Object.fromEntries(contents) };
  });
}

/** Reads each file of a folder once, because rows may share files. Throws BadInput above the limit. */
function reader(folder: string): (path: string) => Json {
  const known = new Map<string, Json>();
  let bytes = 0;
  return (path) => {
    const full = join(folder, path);
    if (!known.has(path)) {
      bytes += sizeOf(full);
      if (bytes > MOST_BYTES) throw tooLarge(folder);
      known.set(path, path.endsWith(".json") ? (readJson(full) as Json) : textOf(full));
    }
    return known.get(path)!;
  };
}

const tooLarge = (path: string) =>
  new BadInput(`${path}: its text is larger than ${MOST_BYTES >> 20} MB`);

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** A broken character does not make the rest of a transcript unreadable. */
function textOf(path: string): string {
  try {
    return new TextDecoder().decode(readFileSync(path));
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/**
 * Adds a field to rows from each text file in their folder: the first line belongs to the first row,
 * and so on. Throws BadInput if the numbers of lines and rows differ.
 */
export function withLines(
  rows: readonly JsonObject[],
  source: string,
  files: Readonly<Record<string, string>>,
): JsonObject[] {
  const columns = Object.entries(files).map(([field, path]): [string, string[]] => {
    const full = inFolder(dirname(source), path);
    if (sizeOf(full) > MOST_BYTES) throw tooLarge(full);
    const lines = textOf(full)
      .replace(/\r?\n$/, "")
      .split(/\r?\n/);
    if (lines.length === rows.length) return [field, lines];
    throw new BadInput(`${full}: it has ${lines.length} lines, and ${source} ${rows.length} rows`);
  });
  return rows.map((row, i) => ({
    ...row,
    ...Object.fromEntries(columns.map(([field, lines]) => [field, lines[i]!])),
  }));
}
