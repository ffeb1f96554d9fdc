import { dereference, type Schema, validate } from "@cfworker/json-schema";
import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { acceptor } from "./quick-accept.ts";
import { type TolerantSchema, tolerantSchema } from "./tolerant-schema.ts";
import { TypeWalk } from "./type-walk.ts";

/** A schema ready to judge values. */
export interface PreparedSchema {
  /** What was tolerated in the schema. */
  warnings: string[];
  /** The first reasons why `value` is not valid, most specific first; empty when it is valid. */
  errors(value: Json): string[];
  types: TypeWalk;
}

type Lookup = Record<string, Schema | boolean>;

/** Errors kept of one output: enough to see what is wrong. */
const maxErrors = 5;

const prepared = new WeakMap<JsonObject, Partial<Record<"plain" | "formats", PreparedSchema>>>();

/**
 * Prepares `schema` once per object and setting. Never throws: what a strict compiler refuses is left
 * out with a warning, as is a `$ref` that leads nowhere; nothing is fetched.
 * Source: specification of the extraction suite, sections 1 and 5.
 * @example prepareSchema({ type: "string" }, false).errors(5).length // 1
 */
export function prepareSchema(
  schema: JsonObject | boolean,
  assertFormats: boolean,
): PreparedSchema {
  if (!isJsonObject(schema)) return prepare(schema, assertFormats);
  const key = assertFormats ? "formats" : "plain";
  const known = prepared.get(schema) ?? {};
  prepared.set(schema, known);
  known[key] ??= prepare(schema, assertFormats);
  return known[key];
}

function prepare(schema: JsonObject | boolean, formats: boolean): PreparedSchema {
  const { tolerant, lookup } = readable(schema, formats);
  dropDeadRefs(tolerant, lookup);
  const resolve = (at: JsonObject) => targetOf(at, lookup);
  const accepts = acceptor(tolerant.schema, tolerant.draft, resolve);
  return {
    warnings: tolerant.warnings,
    errors: (value) => (accepts?.(value) ? [] : validationErrors(value, tolerant, lookup)),
    types: new TypeWalk([tolerant.schema], resolve),
  };
}

/** The schema and its parts by address; where an address is unusable, without addresses. */
function readable(
  schema: JsonObject | boolean,
  formats: boolean,
): { tolerant: TolerantSchema; lookup: Lookup } {
  const tolerant = tolerantSchema(schema, { formats, addresses: true });
  try {
    return { tolerant, lookup: dereference(tolerant.schema as Schema | boolean) };
  } catch {
    const plain = tolerantSchema(schema, { formats, addresses: false });
    plain.warnings.push("# an $id or $ref is no usable address; only $refs within were followed");
    return { tolerant: plain, lookup: dereference(plain.schema as Schema | boolean) };
  }
}

function dropDeadRefs(tolerant: TolerantSchema, lookup: Lookup): void {
  for (const [address, schema] of Object.entries(lookup)) {
    if (typeof schema === "boolean" || schema.$ref === undefined) continue;
    if (targetOf(schema as JsonObject, lookup) !== undefined) continue;
    const place = address.slice(address.indexOf("#") + 1);
    tolerant.warnings.push(`#${place}/$ref "${schema.$ref}" leads nowhere and was ignored`);
    delete schema.$ref;
  }
}

/** `dereference` leaves the absolute address of a `$ref` on the schema that has it. */
function targetOf(schema: JsonObject, lookup: Lookup): Json | undefined {
  const address = (schema as Schema).__absolute_ref__;
  return schema["$ref"] === undefined || address === undefined
    ? undefined
    : (lookup[address] as Json | undefined);
}

/** A value nested too deep, or a schema that refers to itself for ever, ends in a RangeError. */
function validationErrors(
  value: Json,
  { schema, draft }: TolerantSchema,
  lookup: Lookup,
): string[] {
  try {
    const result = validate(value, schema as Schema | boolean, draft, lookup);
    const reasons = result.errors.map((e) => `${e.instanceLocation} ${e.keyword}: ${e.error}`);
    return result.valid ? [] : reasons.slice(-maxErrors).reverse();
  } catch (error) {
    return [`# could not be validated: ${error instanceof Error ? error.message : error}`];
  }
}
