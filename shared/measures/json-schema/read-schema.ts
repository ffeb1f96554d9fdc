import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import { isTooDeep, maxDepth } from "../json-output/nesting.ts";
import { SchemaCompiler } from "./compile/schema-compiler.ts";
import { whyUndecided } from "./compile/schema-run.ts";
import { type KnownSchemas, SchemaIndex } from "./index/schema-index.ts";
import { draftOf } from "./index/schema-keywords.ts";
import { appliesToSameValue, eachPart } from "./index/schema-parts.ts";
import { unknownRefs } from "./index/schema-refs.ts";
import { TolerantSchema } from "./index/tolerant-schema.ts";
import { SchemaPlace } from "./schema-place.ts";
import { invalidReasons } from "./schema-reasons.ts";

/** Maximum number of subschemas: several times the largest published schemas, about a second of work. */
const maxParts = 100_000;

/** A schema ready to validate values. */
export interface PreparedSchema {
  /** What was ignored in the schema. */
  warnings: string[];
  /** Why the schema can't validate values; null if it can. */
  flaw: string | null;
  /**
   * The first reasons why `value` is invalid, the innermost first; empty if it is valid. An error says why it can't
   * be validated: the schema has a flaw, or takes more steps than the value allows.
   */
  validate(value: Json): Result<string[], string>;
  /** The place of a whole value. */
  place: SchemaPlace;
}

/**
 * Prepares `schema`, with other schemas that a `$ref` may name by address. Never throws: what a strict compiler
 * rejects is omitted with a warning, as is a `$ref` without a target. Nothing is fetched.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example readSchema({ $ref: "urn:a" }, false, new Map([["urn:a", false]])).validate(1)
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
    validate: (value) => (flaw === null ? validationReasons(value, compiler) : err(flaw)),
    place: new SchemaPlace([document.schema], resolve),
  };
}

function unusable(flaw: string): PreparedSchema {
  const place = new SchemaPlace([], () => undefined);
  return { warnings: [], flaw, validate: () => err(flaw), place };
}

function validationReasons(value: Json, compiler: SchemaCompiler): Result<string[], string> {
  try {
    return ok(compiler.isValid(value) ? [] : invalidReasons(value, compiler));
  } catch (error) {
    const reason = whyUndecided(error);
    if (reason === null) throw error;
    return err(reason);
  }
}

/**
 * Removes each `$ref` without a target in its document, with a warning: incorrect schemas have such references, and
 * the rest of the schema is usable. Linear.
 * Source: docs/spec/extraction.md, section 1.
 * @example dropDeadRefs(index) // of { $ref: "#/nowhere" } the part {} is left
 */
function dropDeadRefs(index: SchemaIndex): void {
  const dead = new Set<string>();
  for (const schema of index.referring) {
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = schema[keyword];
      if (typeof reference !== "string" || draftOf(reference) !== null) continue;
      if (index.resolve(reference, schema) !== undefined) continue;
      delete schema[keyword];
      dead.add(`${keyword} ${JSON.stringify(reference)} has no target and was ignored`);
    }
  }
  for (const warning of dead) index.root.document.warn(warning);
}

/**
 * Why not every value can be validated by the indexed schema: a reference to another document, which is never
 * fetched, or a part that refers to itself for the same value, which JSON Schema leaves undefined. Null for a valid
 * schema. Considers only reachable parts. Linear, not recursive.
 * Source: JSON Schema 2020-12 core, section 9.4.1.
 * @example schemaFlaw(index) // null
 */
function schemaFlaw(index: SchemaIndex): string | null {
  const suspect = index.referring.some((schema) => unknownRefs(schema, index).length > 0);
  if (!suspect && !hasLoop(index.referring, index)) return null;
  const reached = reachedParts(index);
  for (const schema of reached) {
    const [unknown] = unknownRefs(schema, index);
    if (unknown !== undefined) {
      return `$ref ${JSON.stringify(unknown)} is in another document, and documents are not fetched`;
    }
  }
  return hasLoop(reached, index) ? "a $ref refers to itself without going into the value" : null;
}

function reachedParts(index: SchemaIndex): Set<JsonObject> {
  const reached = new Set<JsonObject>();
  const open: Json[] = [index.root.root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isJsonObject(schema) || reached.has(schema)) continue;
    reached.add(schema);
    for (const next of nextParts(schema, index, (keyword) => !definitions.has(keyword))) {
      open.push(next);
    }
  }
  return reached;
}

const definitions = new Set(["$defs", "definitions"]);

/** The parts that `schema` refers to, and those under the keywords that `holds` selects. */
function nextParts(
  schema: JsonObject,
  index: SchemaIndex,
  holds: (keyword: string) => boolean,
): JsonObject[] {
  const next: JsonObject[] = [];
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = schema[keyword];
    if (typeof reference !== "string") continue;
    const target = index.resolve(reference, schema)?.schema;
    if (isJsonObject(target)) next.push(target);
  }
  const { draft } = index.resourceOf(schema).document;
  if (draft === "7" && schema["$ref"] !== undefined) return next;
  eachPart(schema, (part, keyword) => {
    if (isJsonObject(part) && holds(keyword)) next.push(part);
  });
  return next;
}

/** Depth first: a part that is met again before all its same-value targets are done is in a loop. */
function hasLoop(starts: Iterable<JsonObject>, index: SchemaIndex): boolean {
  const state = new Map<JsonObject, "open" | "done">();
  const path: { schema: JsonObject; rest: JsonObject[] }[] = [];
  const enter = (schema: JsonObject) => {
    state.set(schema, "open");
    path.push({ schema, rest: nextParts(schema, index, appliesToSameValue) });
  };
  for (const start of starts) {
    if (!state.has(start)) enter(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.rest.pop();
      if (next === undefined) state.set(path.pop()!.schema, "done");
      else if (state.get(next) === "open") return true;
      else if (!state.has(next)) enter(next);
    }
  }
  return false;
}
