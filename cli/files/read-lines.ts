import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import { isJsonObject, type Json, parsedJson } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { badLine } from "../errors.ts";
import { openInput, refuseNonText } from "./open-file.ts";

/** Bytes read at once. */
const CHUNK_BYTES = 1 << 20;

/** The buffer of the last file, which is reused for the next one, so that reading many files creates no garbage. */
let spare: Bytes | null = null;

const aBuffer = (): Bytes => Buffer.allocUnsafe(2 * CHUNK_BYTES);

/** A longer line is not a row of a dataset; the limit also bounds memory. */
const MAX_LINE_BYTES = 64 << 20;

/** A line that is not blank. */
export interface Line {
  /** From 1. */
  number: number;
  /** Offset of its first byte in the file. */
  offset: number;
  /** Without line break and byte order mark. Only valid until the next line of any file is read. */
  bytes: Buffer;
}

/** The lines of a file, which is closed after the last one. Throws BadInput. */
export function* linesOf(path: string): Generator<Line> {
  const { fd, name } = openInput(path);
  const buffer = spare ?? aBuffer();
  spare = null;
  try {
    yield* readLines(fd, name, MAX_LINE_BYTES, buffer);
  } finally {
    spare = buffer;
    closeSync(fd);
  }
}

/**
 * The lines of an open file without blank ones, read on demand: at most one line and one chunk are in memory. LF and CRLF both end a line. Throws BadInput at a line over `maxBytes`.
 */
export function* readLines(
  fd: number,
  file: string,
  maxBytes: number = MAX_LINE_BYTES,
  room: Bytes = aBuffer(),
): Generator<Line> {
  let buffer = room;
  const first = readSync(fd, buffer, 0, CHUNK_BYTES, null);
  if (first === 0) return;
  refuseNonText(file, buffer.subarray(0, first));
  // The buffer's contents, the offset of its first byte in the file, and the length without a line end.
  let [start, end, offset, searched] = [0, first, 0, 0];
  let number = 0;
  for (;;) {
    const at = buffer.subarray(0, end).indexOf(10, searched);
    if ((at < 0 ? end : at) - start > maxBytes) throw tooLong(file, number + 1, maxBytes);
    if (at >= 0) {
      const line = lineAt(buffer.subarray(start, at), ++number, offset);
      offset += at + 1 - start;
      start = at + 1;
      searched = start;
      if (line !== null) yield line;
      continue;
    }
    buffer = withRoom(buffer, start, end);
    [start, end] = [0, end - start];
    searched = end;
    const read = readSync(fd, buffer, end, CHUNK_BYTES, null);
    if (read === 0) break;
    end += read;
  }
  const last = lineAt(buffer.subarray(0, end), number + 1, offset);
  if (last !== null) yield last;
}

function tooLong(file: string, number: number, maxBytes: number) {
  return badLine(file, number, `the line is longer than ${maxBytes >> 20} MB`);
}

function lineAt(bytes: Buffer, number: number, offset: number): Line | null {
  let start = 0;
  let end = bytes.length;
  if (offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  while (end > start && isBlank(bytes[end - 1])) end--;
  while (start < end && isBlank(bytes[start])) start++;
  if (start === end) return null;
  return { number, offset: offset + start, bytes: bytes.subarray(start, end) };
}

/** The white space of JSON, which may surround a value. */
function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 13 || byte === 10;
}

type Bytes = Buffer<ArrayBuffer>;

/** The bytes from `start` to `end` moved to the front of a buffer with a chunk to spare. */
function withRoom(buffer: Bytes, start: number, end: number): Bytes {
  const held = end - start;
  const into =
    held + CHUNK_BYTES <= buffer.length ? buffer : Buffer.allocUnsafe(2 * (held + CHUNK_BYTES));
  buffer.copy(into, 0, start, end);
  return into;
}

/** A line's JSON, or why it is invalid. */
export function parseRow(bytes: Buffer): Result<Json, string> {
  if (!isUtf8(bytes)) return err("the line is not UTF-8 text: save the file in UTF-8");
  try {
    return ok(JSON.parse(bytes.toString()) as Json);
  } catch (error) {
    return err(`the line is not JSON: ${(error as Error).message}`);
  }
}

/** The id of a row; null without one. */
export function idOf(row: Json): string | null {
  const id = isJsonObject(row) ? row["id"] : null;
  return typeof id === "string" ? id : null;
}

/**
 * The apparent id of a line, even if it is not JSON; null without one.
 * @example idIn(Buffer.from('{"id": "a", "text": ')) // "a"
 */
export function idIn(bytes: Buffer): string | null {
  const found = /"id"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(bytes.toString());
  return (parsedJson(found?.[1] ?? "") as string | undefined) ?? null;
}
