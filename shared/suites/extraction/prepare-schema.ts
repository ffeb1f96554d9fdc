import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { isTooDeep, maxDepth } from "./nesting.ts";
import { SchemaCompiler } from "./schema-compiler.ts";
import { dropDeadRefs, schemaFlaw } from "./schema-flaws.ts";
import { type KnownSchemas, SchemaIndex } from "./schema-index.ts";
import { reasonsAgainst } from "./schema-reasons.ts";
import { whyUnjudged } from "./schema-run.ts";
import { TolerantSchema } from "./tolerant-schema.ts";
import { TypeWalk } from "./type-walk.ts";

/** A schema ready to judge values. */
export interface PreparedSchema {
  /** What was tolerated in the schema. */
  warnings: string[];
  /** Why the schema can't judge values; null when it can. */
  flaw: string | null;
  /**
   * The first reasons why `value` is not valid, the innermost first; empty when it is valid. A value
   * that can't be judged has the one reason that says so.
   */
  errors(value: Json): string[];
  types: TypeWalk;
}

const prepared = new WeakMap<JsonObject, Partial<Record<"plain" | "formats", PreparedSchema>>>();

/**
 * Prepares `schema` once per object and setting. Never throws: what a strict compiler refuses is left
 * out with a warning, as is a `$ref` to a place that is not there; nothing is fetched.
 * Source: specification of the extraction suite, sections 1 and 5.
 * @example prepareSchema({ type: "string" }, false).errors(5).length // 1
 */
export function prepareSchema(
  schema: JsonObject | boolean,
  assertFormats: boolean,
): PreparedSchema {
  if (!isJsonObject(schema)) return readSchema(schema, assertFormats);
  const key = assertFormats ? "formats" : "plain";
  const known = prepared.get(schema) ?? {};
  prepared.set(schema, known);
  known[key] ??= readSchema(schema, assertFormats);
  return known[key];
}

/**
 * As `prepareSchema`, anew, with other schemas that a `$ref` may name by their addresses.
 * @example readSchema({ $ref: "urn:a" }, false, new Map([["urn:a", false]])).errors(1).length // 1
 */
export function readSchema(
  schema: JsonObject | boolean,
  formats: boolean,
  known: KnownSchemas = new Map(),
): PreparedSchema {
  if (isTooDeep(schema)) return unusable(`it is nested deeper than ${maxDepth} levels`);
  const document = new TolerantSchema(schema, { formats });
  const index = new SchemaIndex(document, known);
  dropDeadRefs(index);
  const flaw = schemaFlaw(index);
  const compiler = new SchemaCompiler(index);
  const resolve = (at: JsonObject) =>
    typeof at["$ref"] === "string" ? index.resolve(at["$ref"], at)?.schema : undefined;
  return {
    warnings: document.warnings,
    flaw,
    errors: (value) => (flaw === null ? errorsOf(value, compiler) : [unjudged(flaw)]),
    types: new TypeWalk([document.schema], resolve),
  };
}

function unusable(flaw: string): PreparedSchema {
  const types = new TypeWalk([], () => undefined);
  return { warnings: [], flaw, errors: () => [unjudged(flaw)], types };
}

function unjudged(reason: string): string {
  return `# can't be judged: ${reason}`;
}

function errorsOf(value: Json, compiler: SchemaCompiler): string[] {
  try {
    return compiler.isValid(value) ? [] : reasonsAgainst(value, compiler);
  } catch (error) {
    const reason = whyUnjudged(error);
    if (reason === null) throw error;
    return [unjudged(reason)];
  }
}
