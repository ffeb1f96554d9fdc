import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import type { Suite } from "../../contracts/suite.ts";

/**
 * Converts a table row to a dataset row: null columns count as missing, and a row without an id gets the split's name
 * and its number as id.
 * @example datasetRow(suite, { text: "Hi", tags: null }, "train", 4) // { id: "train-4", text: "Hi" }
 */
export function datasetRow(
  suite: Pick<Suite, "rowFromColumns">,
  columns: JsonObject,
  split: string,
  index: number,
): JsonObject {
  const there = Object.entries(columns).filter(([, value]) => value !== null);
  const given = Object.fromEntries(there);
  const { id, ...row } = suite.rowFromColumns?.(given) ?? given;
  return { id: idOf(id) ?? `${split}-${index}`, ...row };
}

function idOf(given: unknown): string | null {
  if (typeof given === "string" && given !== "") return given;
  return typeof given === "number" ? `${given}` : null;
}

/**
 * Removes null properties at any depth: tables with nested columns contain null for missing values. Linear.
 * @example withoutNulls({ a: [{ b: null }], c: null }) // { a: [{}] }
 */
export function withoutNulls<Value extends Json>(value: Value): Value;
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one));
  if (!isJsonObject(value)) return value;
  const there = Object.entries(value).filter(([, its]) => its !== null);
  return Object.fromEntries(there.map(([name, its]) => [name, withoutNulls(its)]));
}
