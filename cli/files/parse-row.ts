import { isUtf8 } from "node:buffer";
import { isJsonObject, type Json, parsedJson } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";

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
