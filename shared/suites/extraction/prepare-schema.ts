import { isJsonObject, type JsonObject } from "../../contracts/json.ts";
import { deepEquals } from "../../measures/deep-equals.ts";
import { isTooDeep } from "../../measures/json-output/nesting.ts";
import { type PreparedSchema, readSchema } from "../../measures/json-schema/read-schema.ts";

/** Schemas kept by what they say: as many as differ in a dataset of some hundred rows. */
const maxKept = 256;

/** Characters of the longest one kept: prepared, a schema takes some ten times its text. */
const maxKeptLength = 65_536;

const bySchema = new WeakMap<JsonObject, Partial<Record<"plain" | "formats", PreparedSchema>>>();
const byText = new Map<string, { schema: JsonObject; prepared: PreparedSchema }>();

/**
 * Prepares `schema` once per object and setting, and once for objects that say the same, since each row
 * of a file brings its own copy of the dataset's schema. Never throws.
 * @example prepareSchema({ type: "string" }, false).judge(5) // { ok: true, value: ["# type: …"] }
 */
export function prepareSchema(
  schema: JsonObject | boolean,
  assertFormats: boolean,
): PreparedSchema {
  if (!isJsonObject(schema)) return readSchema(schema, assertFormats);
  const setting = assertFormats ? "formats" : "plain";
  const known = bySchema.get(schema) ?? {};
  bySchema.set(schema, known);
  known[setting] ??= isTooDeep(schema)
    ? readSchema(schema, assertFormats)
    : preparedByText(schema, assertFormats);
  return known[setting];
}

/** The least recently used is dropped when there are too many. */
function preparedByText(schema: JsonObject, assertFormats: boolean): PreparedSchema {
  const text = JSON.stringify(schema);
  if (text.length > maxKeptLength) return readSchema(schema, assertFormats);
  const key = `${assertFormats} ${text}`;
  const before = byText.get(key);
  // A number beyond the range of doubles is written as null, so one text may say two things.
  const same = before !== undefined && deepEquals(before.schema, schema);
  const kept = same ? before : { schema, prepared: readSchema(schema, assertFormats) };
  byText.delete(key);
  byText.set(key, kept);
  const [oldest] = byText.keys();
  if (byText.size > maxKept) byText.delete(oldest!);
  return kept.prepared;
}
