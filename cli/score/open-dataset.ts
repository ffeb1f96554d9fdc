import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { jsonText, readFolder } from "#shared/measures/datasets/folder-rows.ts";
import { BadInput } from "../errors.ts";
import {
  fileProblem,
  type OpenFile,
  openInput,
  readText,
  refuseNonText,
  spooledText,
} from "../files/open-file.ts";

/** An array is read at once; a string can have at most twice this size. */
const MAX_ARRAY_BYTES = 256 << 20;

/** Bytes searched for a file's first character. */
const LOOKED_AT = 4_096;

/**
 * Opens a dataset: JSON Lines directly; one JSON array, or a folder `samples/<id>/sample.json`, as JSON
 * Lines in a temporary file, so that the nth row is line n. Throws BadInput.
 */
export function openDataset(path: string): OpenFile {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return spooledRows(path, readFolder(sampleFiles(path)));
  }
  return asLines(openInput(path));
}

/**
 * Converts an open file with one JSON array to JSON Lines in a temporary file; returns any other file unchanged. Throws
 * BadInput.
 */
export function asLines(file: OpenFile): OpenFile {
  const start = firstBytes(file);
  if (!/^(?:\xef\xbb\xbf)?\s*\[/.test(start.toString("latin1"))) return file;
  try {
    refuseNonText(file.name, start);
    return spooledRows(file.name, readArray(wholeText(file)));
  } finally {
    closeSync(file.fd);
  }
}

function spooledRows(name: string, rows: Result<readonly Json[], string>): OpenFile {
  if (!rows.ok) throw new BadInput(`${name}: ${rows.error}`);
  const fd = spooledText(rows.value.map((row) => `${JSON.stringify(row)}\n`));
  return { fd, name, hasRows: true };
}

function sampleFiles(path: string): { path: string; text: string }[] {
  const folder = basename(path) === "samples" ? path : join(path, "samples");
  try {
    const ids = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(folder)
      : [];
    return ids.flatMap((id) => {
      const file = join(folder, id, "sample.json");
      const isThere = statSync(file, { throwIfNoEntry: false })?.isFile();
      return isThere ? [{ path: `samples/${id}/sample.json`, text: readText(file) }] : [];
    });
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** The first bytes of a file; empty for a pipe, which can be read only once. */
function firstBytes({ fd }: OpenFile): Buffer {
  if (!fstatSync(fd).isFile()) return Buffer.alloc(0);
  const bytes = Buffer.alloc(LOOKED_AT);
  return bytes.subarray(0, readSync(fd, bytes, 0, LOOKED_AT, 0));
}

/**
 * Rows of one JSON array.
 * Source: docs/spec/memory.md, sample.
 * @example readArray('[{"id": "a"}]') // { ok: true, value: [{ id: "a" }] }
 */
export function readArray(text: string): Result<Json[], string> {
  const parsed = jsonText(text);
  if (!parsed.ok) return err(`the array is not JSON: ${parsed.error}`);
  return Array.isArray(parsed.value) ? ok(parsed.value) : err("not an array");
}

function wholeText({ fd, name }: OpenFile): string {
  if (fstatSync(fd).size > MAX_ARRAY_BYTES) {
    const most = `${MAX_ARRAY_BYTES >> 20} MB`;
    throw new BadInput(`${name}: the array is larger than ${most}: write it as JSON Lines`);
  }
  const bytes = readFileSync(fd);
  if (!isUtf8(bytes)) throw new BadInput(`${name}: not UTF-8 text`);
  return bytes.toString();
}
