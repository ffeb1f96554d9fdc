import type { JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";

/** The part of the standard class used here; every runtime has it. */
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Converts a Parquet row to JSON: bytes become text, integers beyond 2^53 become text so that ids stay distinct, and
 * times become ISO 8601 text. The error names a column with bytes that are not UTF-8. Linear.
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

/** Decodes text, because some writers don't mark it as text. Throws for bytes that are not UTF-8. */
function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`"${name}" contains bytes: leave the column out, or write its text`);
  }
}
