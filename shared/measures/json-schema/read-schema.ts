import type { Json, JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import { isTooDeep, maxDepth } from "../json-output/nesting.ts";
import { SchemaCompiler } from "./compile/schema-compiler.ts";
import { whyUnjudged } from "./compile/schema-run.ts";
import { dropDeadRefs, schemaFlaw } from "./index/schema-flaws.ts";
import { type KnownSchemas, SchemaIndex } from "./index/schema-index.ts";
import { TolerantSchema } from "./index/tolerant-schema.ts";
import { SchemaPlace } from "./schema-place.ts";
import { reasonsAgainst } from "./schema-reasons.ts";

/** Subschemas of one schema: some times what the largest published ones have, a second of work. */
const maxParts = 100_000;

/** A schema ready to judge values. */
export interface PreparedSchema {
  /** What was tolerated in the schema. */
  warnings: string[];
  /** Why the schema can't judge values; null when it can. */
  flaw: string | null;
  /**
   * The first reasons why `value` is not valid, the innermost first; none when it is valid. An error
   * says why it can't be judged: the schema has a flaw, or takes more steps than the value is worth.
   */
  judge(value: Json): Result<string[], string>;
  /** The place of a whole value. */
  place: SchemaPlace;
}

/**
 * Prepares `schema`, with other schemas that a `$ref` may name by their addresses. Never throws: what a
 * strict compiler refuses is left out with a warning, as is a `$ref` to a place that is not there;
 * nothing is fetched.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example readSchema({ $ref: "urn:a" }, false, new Map([["urn:a", false]])).judge(1)
 */
export function readSchema(
  schema: JsonObject | boolean,
  assertFormats: boolean,
  known: KnownSchemas = new Map(),
): PreparedSchema {
  if (isTooDeep(schema)) return unusable(`it is nested deeper than ${maxDepth} levels`);
  const document = new TolerantSchema(schema);
  const index = new SchemaIndex(document, known);
  if (index.size > maxParts) return unusable("it has more than 100,000 parts");
  dropDeadRefs(index);
  const flaw = schemaFlaw(index);
  const compiler = new SchemaCompiler(index, assertFormats);
  const resolve = (at: JsonObject) =>
    typeof at["$ref"] === "string" ? index.resolve(at["$ref"], at)?.schema : undefined;
  return {
    warnings: document.warnings,
    flaw,
    judge: (value) => (flaw === null ? judged(value, compiler) : err(flaw)),
    place: new SchemaPlace([document.schema], resolve),
  };
}

function unusable(flaw: string): PreparedSchema {
  const place = new SchemaPlace([], () => undefined);
  return { warnings: [], flaw, judge: () => err(flaw), place };
}

function judged(value: Json, compiler: SchemaCompiler): Result<string[], string> {
  try {
    return ok(compiler.isValid(value) ? [] : reasonsAgainst(value, compiler));
  } catch (error) {
    const reason = whyUnjudged(error);
    if (reason === null) throw error;
    return err(reason);
  }
}
