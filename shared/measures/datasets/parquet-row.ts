import type { JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";

/** The part of the standard class used here; every runtime has it. */
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * A row of Parquet, its texts as bytes, as JSON: an integer beyond 2^53 is text, so that ids stay different, and a time is
 * ISO 8601 text. Or which column has bytes that are not text. Linear.
 * @example parquetRow({ id: 9007199254740993n, total: 4n }) // { ok: true, value: { id: "9007199254740993", total: 4 } }
 */
export function parquetRow(row: object): Result<JsonObject, string> {
  const plain = (name: string, value: unknown): unknown => {
    if (typeof value === "bigint")
      return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
    return value instanceof Uint8Array ? textOf(name, value) : value;
  };
  try {
    return ok(JSON.parse(JSON.stringify(row, plain)) as JsonObject);
  } catch (error) {
    return err((error as Error).message);
  }
}

/** Some writers don't mark text as such. Throws an error for other bytes. */
function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`"${name}" contains bytes: leave the column out, or write its text`);
  }
}
