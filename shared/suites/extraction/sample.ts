import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { isTooDeep, maxDepth } from "../../measures/json-output/nesting.ts";
import { type PreparedSchema, readSchema } from "../../measures/json-schema/read-schema.ts";
import { deepEquals } from "../../measures/matching/deep-equals.ts";
import { isTags } from "../../measures/repeats.ts";
import { ignoredRules } from "./score/fields/field-rules.ts";
import { isTooWide } from "./score/schema-complexity.ts";

/** A text, its schema, and the expected output. */
export interface ExtractionSample {
  id: string;
  text: string;
  schema: JsonObject | boolean;
  expected_output: Json;
  tags: Record<string, string>;
}

/**
 * Whether a dataset row can be used: it needs an id, a text, a schema that is an object or boolean, and an expected
 * output that is valid against it. A part of a schema that can be ignored gives a warning, and so does an invalid field
 * rule; a schema that can't validate values makes the sample malformed, because every score would be wrong. Never
 * throws.
 * Source: docs/spec/extraction.md, section 1.
 * @example checkSample({ id: "a" }) // { ok: false, error: "text is missing; …" }
 */
export function checkSample(row: unknown): Result<CheckedSample<ExtractionSample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id, text, schema, expected_output: expected, tags = {} } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  if (typeof text !== "string") return err("text must be a string");
  if (typeof schema !== "boolean" && !isJsonObject(schema)) {
    return err("schema must be a JSON object or boolean");
  }
  if (expected === undefined) return err("expected_output is missing");
  if (isTooDeep(expected)) return err(`expected_output is nested deeper than ${maxDepth} levels`);
  if (!isTags(tags)) return err("tags must be an object of strings");
  return checkExpected({ id, text, schema, expected_output: expected, tags });
}

function checkExpected(sample: ExtractionSample): Result<CheckedSample<ExtractionSample>, string> {
  const { warnings, flaw, validate, place } = prepareSchema(sample.schema, false);
  if (flaw !== null) return err(`schema can't judge values: ${flaw}`);
  if (isTooWide(place)) return err("schema can't judge types: too many of its parts overlap");
  const judged = validate(sample.expected_output);
  if (!judged.ok) return err(`schema can't judge expected_output: ${judged.error}`);
  const [reason] = judged.value;
  return reason === undefined
    ? ok({ sample, warnings })
    : err(`expected_output is not valid against the schema: ${reason}`);
}

/** Maximum cached schemas: as many different ones as a dataset of a few hundred rows may have. */
const maxKept = 256;

/** Maximum characters of a cached schema: in prepared form it takes about ten times its text. */
const maxKeptLength = 65_536;

const bySchema = new WeakMap<JsonObject, Partial<Record<"plain" | "formats", PreparedSchema>>>();
const byText = new Map<string, { schema: JsonObject; prepared: PreparedSchema }>();

/**
 * Prepares `schema` once per object and setting, and once for equal objects, because each row of a file has its
 * own copy of the dataset's schema. Never throws.
 * @example prepareSchema({ type: "string" }, false).validate(5) // { ok: true, value: ["# type: …"] }
 */
export function prepareSchema(
  schema: JsonObject | boolean,
  assertFormats: boolean,
): PreparedSchema {
  if (!isJsonObject(schema)) return read(schema, assertFormats);
  const setting = assertFormats ? "formats" : "plain";
  const known = bySchema.get(schema) ?? {};
  bySchema.set(schema, known);
  known[setting] ??= isTooDeep(schema)
    ? read(schema, assertFormats)
    : preparedByText(schema, assertFormats);
  return known[setting];
}

function read(schema: JsonObject | boolean, assertFormats: boolean): PreparedSchema {
  const prepared = readSchema(schema, assertFormats);
  if (isJsonObject(schema)) prepared.warnings.push(...ignoredRules(schema));
  return prepared;
}

/** Evicts the least recently used schema if there are too many. */
function preparedByText(schema: JsonObject, assertFormats: boolean): PreparedSchema {
  const text = JSON.stringify(schema);
  if (text.length > maxKeptLength) return read(schema, assertFormats);
  const key = `${assertFormats} ${text}`;
  const before = byText.get(key);
  // A number beyond the range of doubles is written as null, so one text can have two meanings.
  const isKnown = before !== undefined;
  const same = isKnown && (!text.includes("null") || deepEquals(before.schema, schema));
  const kept = same ? before : { schema, prepared: read(schema, assertFormats) };
  byText.delete(key);
  byText.set(key, kept);
  const [oldest] = byText.keys();
  if (byText.size > maxKept) byText.delete(oldest!);
  return kept.prepared;
}
