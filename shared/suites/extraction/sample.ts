import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { isTooDeep, maxDepth } from "../../measures/json-output/nesting.ts";
import { isTags } from "../../measures/tagged-sample.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { isTooWide } from "./score/schema-complexity.ts";

/** A text, the schema to extract by, and what should come out. */
export interface ExtractionSample {
  id: string;
  text: string;
  schema: JsonObject | boolean;
  expected_output: Json;
  tags: Record<string, string>;
}

/**
 * Whether a dataset row can be used: it needs an id, a text, a schema that is an object or boolean,
 * and an expected output that is valid against it. What can be left out of a schema is a warning; one
 * that can't judge values makes the sample malformed, since every score by it would be wrong. Never
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
  const { warnings, flaw, judge, place } = prepareSchema(sample.schema, false);
  if (flaw !== null) return err(`schema can't judge values: ${flaw}`);
  if (isTooWide(place)) return err("schema can't judge types: too many of its parts speak of them");
  const judged = judge(sample.expected_output);
  if (!judged.ok) return err(`schema can't judge expected_output: ${judged.error}`);
  const [reason] = judged.value;
  return reason === undefined
    ? ok({ sample, warnings })
    : err(`expected_output is not valid against the schema: ${reason}`);
}
