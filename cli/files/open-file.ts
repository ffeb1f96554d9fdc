import { isUtf8 } from "node:buffer";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput, type LinesOf } from "../errors.ts";

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "no permission to open it",
  EPERM: "no permission to open it",
  EISDIR: "it is a folder, not a file",
  ENOTDIR: "a part of its path is a file, not a folder",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
};

/** A file that is open for reading, and its name for messages. */
export interface OpenFile extends LinesOf {
  fd: number;
}

/** A failed file operation as BadInput; other errors are thrown unchanged. */
export function fileProblem(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error as Error;
  return new BadInput(`${path}: ${reasons[code] ?? message}`);
}

/** Like fileProblem() for a file to write: a missing path then means its folder. */
export function writeProblem(path: string, error: unknown): Error {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") return fileProblem(path, error);
  return new BadInput(`${path}: folder does not exist; create it first`);
}

/** Writes files that must not exist yet: all of them, or none. Throws BadInput. */
export function writeNew(...files: readonly (readonly [path: string, text: string])[]): void {
  const made: string[] = [];
  try {
    for (const [path, text] of files) {
      const fd = newFile(path);
      made.push(path);
      try {
        writeFileSync(fd, text);
      } catch (error) {
        throw writeProblem(path, error);
      } finally {
        closeSync(fd);
      }
    }
  } catch (error) {
    for (const path of made) rmSync(path, { force: true });
    throw error;
  }
}

function newFile(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new BadInput(`${path}: file exists; choose another name`);
    throw writeProblem(path, error);
  }
}

/** Opens a file for reading. */
export function openInput(path: string): OpenFile {
  try {
    const fd = openSync(path, "r");
    if (fstatSync(fd).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return { fd, name: path };
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/**
 * Opens a file for random access. Standard input (`-`) and pipes can only be read once, so they are copied to a
 * temporary file first, which takes disk space and no memory.
 */
export async function openSeekable(path: string, stdin: Readable): Promise<OpenFile> {
  if (path === "-") return { fd: await spooled(stdin), name: "stdin" };
  const file = openInput(path);
  if (fstatSync(file.fd).isFile()) return file;
  return { ...file, fd: await spooled(createReadStream(path, { fd: file.fd })) };
}

async function spooled(source: Readable): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "assay-"));
  try {
    const path = join(folder, "answers.jsonl");
    await pipeline(source, createWriteStream(path));
    return openSync(path, "r");
  } finally {
    // The open file exists without a name until it is closed, so no file is left behind.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether two paths are the same file, which may have several names. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one?.isFile() === true && one.ino === other?.ino && one.dev === other.dev;
}

/** An open, nameless temporary file with these lines. */
export function spooledText(lines: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), "assay-"));
  try {
    const path = join(folder, "samples.jsonl");
    const written = openSync(path, "w");
    for (const line of lines) writeSync(written, line);
    closeSync(written);
    return openSync(path, "r");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A text is read at once; a string can have at most twice this size. */
const MAX_BYTES = 256 << 20;

/** The whole text of a file in UTF-8. Throws BadInput. */
export function readText(path: string, maxBytes = MAX_BYTES): string {
  const { fd } = openInput(path);
  try {
    if (fstatSync(fd).size > maxBytes) {
      throw new BadInput(`${path}: it is larger than ${maxBytes >> 20} MB`);
    }
    const bytes = readFileSync(fd);
    refuseNonText(path, bytes);
    if (!isUtf8(bytes)) throw new BadInput(`${path}: not UTF-8 text: save it as UTF-8`);
    return bytes.toString();
  } finally {
    closeSync(fd);
  }
}

/** The JSON value of a file. Throws BadInput. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path).replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadInput(`${path}: not JSON: ${error.message}`);
    throw error;
  }
}

/** The JSON object in a file; empty without a path. Throws BadInput. */
export function readJsonObject(path: string | undefined): JsonObject {
  const value = path === undefined ? {} : readJson(path);
  if (isJsonObject(value)) return value;
  throw new BadInput(`${path}: not a JSON object`);
}

/** First bytes of files that users often pass instead of text, and what to do about them. */
const signatures: readonly [bytes: readonly number[], what: string][] = [
  [[0x1f, 0x8b], "gzip-compressed: unpack it first, for example with gunzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd-compressed: unpack it first, for example with unzstd"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz-compressed: unpack it first, for example with unxz"],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive: unpack it first"],
  [
    [0x50, 0x41, 0x52, 0x31],
    "a Parquet file: assay dataset import reads samples from one, assay import parquet answers",
  ],
  [[0xff, 0xfe], "UTF-16 text: save it as UTF-8"],
  [[0xfe, 0xff], "UTF-16 text: save it as UTF-8"],
];

/** Bytes searched for characters that text does not contain. */
const LOOKED_AT = 4096;

/** Throws BadInput if a file with these first bytes is not UTF-8 text. */
export function refuseNonText(file: string, bytes: Buffer): void {
  const known = signatures.find(([start]) => start.every((byte, i) => bytes[i] === byte));
  const what = known?.[1] ?? nulText(bytes.subarray(0, LOOKED_AT));
  if (what !== null) throw new BadInput(`${file}: it is ${what}`);
}

/** UTF-16 without a byte order mark has a zero next to each letter; JSON text has no zeros. */
function nulText(bytes: Buffer): string | null {
  const at = bytes.indexOf(0);
  if (at < 0) return null;
  const isUtf16 = at < 2 && bytes[at + 2] === 0 && bytes[1 - at] !== 0;
  return isUtf16 ? "UTF-16 text: save it as UTF-8" : "a binary file, not JSON lines";
}

/**
 * Sorted paths of all files in a folder and its subfolders, with forward slashes. Links are left out; `readdir` would
 * follow links to folders. Throws BadInput.
 * @example filesIn("receipts") // ["gold/a.json", "text/a.txt"]
 */
export function filesIn(folder: string): string[] {
  const paths: string[] = [];
  const within = [""];
  for (let at = within.pop(); at !== undefined; at = within.pop()) {
    for (const entry of entriesOf(join(folder, at))) {
      if (entry.isDirectory()) within.push(`${at}${entry.name}/`);
      else if (entry.isFile()) paths.push(`${at}${entry.name}`);
    }
  }
  return paths.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw fileProblem(folder, error);
  }
}
