import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { deepEquals } from "../../measures/deep-equals.ts";
import { jsonType } from "../../measures/json-type.ts";
import { compilePattern } from "./compile-pattern.ts";

/** Finds the subschema a local `$ref` names, or undefined. */
export type ResolveRef = (schema: JsonObject) => Json | undefined;

const branchKeywords = ["allOf", "anyOf", "oneOf"] as const;

/**
 * The subschemas that speak about one place in a value: those found through `properties`,
 * `patternProperties`, `additionalProperties`, `items` and `prefixItems`, through local `$ref` with
 * the keywords beside it, and every branch of `allOf`, `anyOf` and `oneOf`. Built lazily and kept, so
 * that the second sample of a schema walks a prepared tree.
 * Source: specification of the extraction suite, section 5, type accuracy.
 */
export class TypeWalk {
  readonly #schemas: readonly JsonObject[];
  readonly #speaking: readonly JsonObject[];
  readonly #resolve: ResolveRef;
  readonly #byName = new Map<string, TypeWalk>();
  readonly #byIndex = new Map<number, TypeWalk>();
  readonly #declared: ReadonlySet<string>;
  readonly #prefixLength: number;

  constructor(schemas: readonly Json[], resolve: ResolveRef) {
    const found = new Set<JsonObject>();
    for (const schema of schemas) collect(schema, resolve, found);
    this.#schemas = [...found];
    this.#resolve = resolve;
    this.#speaking = this.#schemas.filter((s) => "type" in s || "enum" in s || "const" in s);
    this.#declared = new Set(this.#schemas.flatMap((s) => Object.keys(mapOf(s, "properties"))));
    this.#prefixLength = Math.max(0, ...this.#schemas.map((s) => tupleOf(s).length));
  }

  /**
   * Whether the schema accepts `value` here: true when one subschema that has `type`, `enum` or
   * `const` accepts it on those keywords, null when none has any of them.
   */
  accepts(value: Json): boolean | null {
    if (this.#speaking.length === 0) return null;
    for (const schema of this.#speaking) if (acceptsValue(schema, value)) return true;
    return false;
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

function collect(schema: Json, resolve: ResolveRef, found: Set<JsonObject>): void {
  if (!isJsonObject(schema) || found.has(schema)) return;
  found.add(schema);
  const target = resolve(schema);
  if (target !== undefined) collect(target, resolve, found);
  for (const keyword of branchKeywords) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) for (const branch of branches) collect(branch, resolve, found);
  }
}

function mapOf(schema: JsonObject, keyword: string): JsonObject {
  const value = schema[keyword];
  return isJsonObject(value) ? value : {};
}

function schemasOfProperty(schema: JsonObject, name: string): Json[] {
  const found: Json[] = [];
  const properties = mapOf(schema, "properties");
  if (Object.hasOwn(properties, name)) found.push(properties[name]!);
  for (const [pattern, subschema] of Object.entries(mapOf(schema, "patternProperties"))) {
    if (compilePattern(pattern)?.test(name)) found.push(subschema);
  }
  const additional = schema["additionalProperties"];
  return found.length === 0 && isJsonObject(additional) ? [additional] : found;
}

/** The schemas of the first elements: `prefixItems`, or the array form of `items` before 2020-12. */
function tupleOf(schema: JsonObject): Json[] {
  const prefix = schema["prefixItems"] ?? schema["items"];
  return Array.isArray(prefix) ? prefix : [];
}

function schemasOfElement(schema: JsonObject, index: number): Json[] {
  const tuple = tupleOf(schema);
  if (index < tuple.length) return [tuple[index]!];
  const items = schema["items"];
  return isJsonObject(items) ? [items] : [];
}

function acceptsValue(schema: JsonObject, value: Json): boolean {
  const { type, enum: allowed, const: constant } = schema;
  if (type !== undefined && !acceptsType(type, value)) return false;
  if (Array.isArray(allowed) && !allowed.some((other) => deepEquals(other, value))) return false;
  return constant === undefined || deepEquals(constant, value);
}

function acceptsType(type: Json, value: Json): boolean {
  if (Array.isArray(type)) return type.some((one) => acceptsType(one, value));
  return type === jsonType(value) || (type === "integer" && Number.isInteger(value));
}
