import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { JsonObject } from "#shared/contracts/json.ts";
import { saveStream, withPart } from "../files/output-file.ts";
import { linesOf } from "../files/read-lines.ts";

/** Rows in memory at a time, and in a row group. */
const GROUP_ROWS = 10_000;

const types = {
  boolean: "BOOLEAN",
  int: "INT64",
  number: "DOUBLE",
  string: "STRING",
  json: "JSON",
} as const;
type Kind = keyof typeof types;

/**
 * Writes rows of JSON Lines as a Parquet file, compressed with Snappy: a column for each key, null where a row lacks
 * it; lists, objects and columns with values of several types as JSON. The file appears only when it is complete.
 * Returns the number of rows. Throws BadInput if it can't be written.
 */
export async function saveParquet(jsonLines: Readable, path: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "assay-"));
  const lines = join(folder, "rows.jsonl");
  try {
    // Imported here, because few commands need it, and in parallel with the slow download of rows.
    const [{ fileWriter, parquetWriteRows }] = await Promise.all([
      import("hyparquet-writer"),
      saveStream(jsonLines, lines),
    ]);
    const kinds = new Map<string, Kind | null>();
    let count = 0;
    for (const row of rowsOf(lines)) {
      for (const [key, value] of Object.entries(row)) {
        kinds.set(key, wider(kinds.get(key) ?? null, value));
      }
      count++;
    }
    const columns = [...kinds].map(([name, kind]) => ({ name, type: types[kind ?? "string"] }));
    await withPart(path, async (part) => {
      await parquetWriteRows({
        writer: fileWriter(part),
        rows: cells(rowsOf(lines), kinds),
        columns: columns.length === 0 ? [{ name: "id", type: types.string }] : columns,
        rowGroupSize: GROUP_ROWS,
      });
    });
    return count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* rowsOf(path: string): Generator<JsonObject> {
  for (const { bytes } of linesOf(path)) yield JSON.parse(bytes.toString());
}

/** The type of a column that can also store `value`; null while it has no value. */
function wider(kind: Kind | null, value: unknown): Kind | null {
  if (value === null) return kind;
  const valueKind = kindOf(value);
  if (kind === null || kind === valueKind) return valueKind;
  const isNumeric = [kind, valueKind].every((one) => one === "int" || one === "number");
  return isNumeric ? "number" : "json";
}

function kindOf(value: unknown): Kind {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "number";
  if (typeof value === "boolean" || typeof value === "string") return typeof value as Kind;
  return "json";
}

function* cells(rows: Iterable<JsonObject>, kinds: ReadonlyMap<string, Kind | null>) {
  for (const row of rows) {
    const entries = Object.entries(row).filter(([, value]) => value !== null);
    yield Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        kinds.get(key) === "int" ? BigInt(value as number) : value,
      ]),
    );
  }
}
