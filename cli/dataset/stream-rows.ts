import { closeSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { bounds } from "#shared/contracts/bounds.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { linesOf, parseRow } from "../files/read-lines.ts";
import type { ImportMapping } from "./row-mapping.ts";

/** Maximum bytes of an unpacked file, which is in memory together with its rows. */
const MOST_UNPACKED = 512 * 1024 * 1024;

/** Mapping keys for files other than JSON Lines. */
const placeKeys = ["folder", "columns", "quotes", "lines"] as const;

/** A skipped line with the reason. */
interface LeftOut {
  line: number;
  reason: string;
}

/**
 * The rows to send from a JSON Lines file, plain or gzip: rows of the suite if there is a mapping, otherwise
 * unchanged rows, which the service checks. Throws BadInput above the service's limit.
 */
export async function streamRows(
  path: string,
  mapping: ImportMapping | null,
): Promise<{ rows: Buffer; leftOut: LeftOut[] }> {
  const rows: Buffer[] = [];
  const leftOut: LeftOut[] = [];
  const key = placeKeys.find((one) => mapping?.text[one] !== undefined);
  if (key !== undefined) {
    throw new BadInput(`mapping: a stream is JSON Lines; leave out ${key}`);
  }
  let length = 0;
  for (const { number, bytes } of linesIn(path)) {
    const row = mapping === null ? Buffer.from(bytes) : await mapped(mapping, bytes);
    if (typeof row === "string") {
      leftOut.push({ line: number, reason: row });
      continue;
    }
    length += row.length + 1;
    if (length > bounds.bodyBytes) {
      const most = `${bounds.bodyBytes >> 20} MB`;
      throw new BadInput(
        `${path}: its rows are larger than ${most}, the limit of the service: give only the new ones, or map fewer fields`,
      );
    }
    rows.push(row, Buffer.from("\n"));
  }
  return { rows: Buffer.concat(rows), leftOut };
}

/** The mapped rows of a line as JSON Lines, or the reason why the line is skipped. */
async function mapped(mapping: ImportMapping, bytes: Uint8Array): Promise<Buffer | string> {
  const row = parseRow(Buffer.from(bytes));
  if (!row.ok) return row.error;
  if (!isJsonObject(row.value)) return "the row is not a JSON object";
  try {
    const rows = await mapping.rowsOf(row.value, "mapping");
    return Buffer.from(rows.map((one) => JSON.stringify(one)).join("\n"));
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

function* linesIn(path: string): Generator<{ number: number; bytes: Uint8Array }> {
  if (!path.endsWith(".gz")) {
    yield* linesOf(path);
    return;
  }
  for (const [i, line] of unpacked(path).toString("utf8").split("\n").entries()) {
    if (line.trim() !== "") yield { number: i + 1, bytes: Buffer.from(line) };
  }
}

function unpacked(path: string): Buffer {
  const { fd } = openInput(path);
  const packed = readFileSync(fd);
  closeSync(fd);
  try {
    return gunzipSync(packed, { maxOutputLength: MOST_UNPACKED });
  } catch {
    throw new BadInput(
      `${path}: it can't be unpacked as gzip, or has more than ${MOST_UNPACKED >> 20} MB`,
    );
  }
}
