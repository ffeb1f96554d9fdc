import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { compilePattern } from "./compile-pattern.ts";
import { checks, type KeywordCheck } from "./keyword-checks.ts";
import { elementSchemas, mapUnder } from "./schema-parts.ts";
import type { Steps } from "./schema-run.ts";

/** Finds the subschema a local `$ref` names, or undefined. */
export type ResolveRef = (schema: JsonObject) => Json | undefined;

const branchKeywords = ["allOf", "anyOf", "oneOf"] as const;
const speakingKeywords = ["type", "enum", "const"] as const;

/** Property names longer than this match no pattern here: no schema means such, and they cost. */
const maxNameLength = 1_000;

const uncounted: Steps = { spend() {} };

/** The checks of each speaking schema: one schema is met on many walks. */
const typeChecks = new WeakMap<JsonObject, KeywordCheck[]>();

/**
 * The subschemas that speak about one place in a value: those found through `properties`,
 * `patternProperties`, `additionalProperties`, `items` and `prefixItems`, through local `$ref` with
 * the keywords beside it, and every branch of `allOf`, `anyOf` and `oneOf`. Built lazily and kept, so
 * that the second sample of a schema walks a prepared tree.
 * Source: specification of the extraction suite, section 5, type accuracy.
 */
export class TypeWalk {
  readonly #schemas: readonly JsonObject[];
  readonly #speaking: readonly KeywordCheck[][];
  readonly #resolve: ResolveRef;
  readonly #byName = new Map<string, TypeWalk>();
  readonly #byIndex = new Map<number, TypeWalk>();
  readonly #declared: ReadonlySet<string>;
  readonly #prefixLength: number;

  constructor(schemas: readonly Json[], resolve: ResolveRef) {
    const found = new Set<JsonObject>();
    collect(schemas, resolve, found);
    this.#schemas = [...found];
    this.#resolve = resolve;
    this.#speaking = this.#schemas.map(checksOf).filter((found) => found.length > 0);
    this.#declared = new Set(this.#schemas.flatMap((s) => Object.keys(mapUnder(s, "properties"))));
    this.#prefixLength = this.#schemas.reduce(
      (most, s) => Math.max(most, elementSchemas(s).first.length),
      0,
    );
  }

  /**
   * Whether the schema accepts `value` here: true when one subschema that has `type`, `enum` or
   * `const` accepts it on those keywords, null when none has any of them.
   */
  accepts(value: Json): boolean | null {
    if (this.#speaking.length === 0) return null;
    return this.#speaking.some((found) => found.every((check) => check(value, uncounted)));
  }

  /** The walk for property `name`. Undeclared names are not kept: a model can invent any number. */
  property(name: string): TypeWalk {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const child = this.#child((schema) => schemasOfProperty(schema, name));
    if (this.#declared.has(name)) this.#byName.set(name, child);
    return child;
  }

  /** The walk for the element at `index`. */
  element(index: number): TypeWalk {
    const at = Math.min(index, this.#prefixLength);
    const known = this.#byIndex.get(at);
    if (known !== undefined) return known;
    const child = this.#child((schema) => schemasOfElement(schema, at));
    this.#byIndex.set(at, child);
    return child;
  }

  #child(find: (schema: JsonObject) => Json[]): TypeWalk {
    return new TypeWalk(this.#schemas.flatMap(find), this.#resolve);
  }
}

/** Adds `schemas` and all that judge the same place; not recursive, since `$ref`s can form chains. */
function collect(schemas: readonly Json[], resolve: ResolveRef, found: Set<JsonObject>): void {
  const open = schemas.toReversed();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isJsonObject(schema) || found.has(schema)) continue;
    found.add(schema);
    for (const keyword of branchKeywords) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) for (const branch of branches) open.push(branch);
    }
    const target = resolve(schema);
    if (target !== undefined) open.push(target);
  }
}

function checksOf(schema: JsonObject): KeywordCheck[] {
  let found = typeChecks.get(schema);
  if (found === undefined) {
    found = speakingKeywords
      .filter((keyword) => keyword in schema)
      .map((keyword) => checks.get(keyword)!(schema[keyword]!));
    typeChecks.set(schema, found);
  }
  return found;
}

function schemasOfProperty(schema: JsonObject, name: string): Json[] {
  const found: Json[] = [];
  const properties = mapUnder(schema, "properties");
  if (Object.hasOwn(properties, name)) found.push(properties[name]!);
  for (const [pattern, subschema] of Object.entries(mapUnder(schema, "patternProperties"))) {
    if (name.length > maxNameLength) continue;
    if (compilePattern(pattern)?.test(name, uncounted.spend)) found.push(subschema);
  }
  const additional = schema["additionalProperties"];
  return found.length === 0 && isJsonObject(additional) ? [additional] : found;
}

/** Those listed first; for the others `items`, as `additionalItems` says nothing of types here. */
function schemasOfElement(schema: JsonObject, index: number): Json[] {
  const { first } = elementSchemas(schema);
  if (index < first.length) return [first[index]!];
  const items = schema["items"];
  return isJsonObject(items) ? [items] : [];
}
