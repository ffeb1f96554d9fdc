import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { compilePattern } from "./compile-pattern.ts";
import { elementSchemas, listUnder, mapUnder } from "./schema-parts.ts";

/** Property names longer than this match no pattern here: no schema means such, and they cost. */
const maxNameLength = 1_000;

const branchKeywords = ["allOf", "anyOf", "oneOf"] as const;

/** What is known of the properties of a place, read when first asked. */
interface Members {
  names: ReadonlySet<string>;
  required: ReadonlySet<string>;
  places: Map<string, SchemaPlace | null>;
}

/** Of a place that names none, as most do. */
const noMembers: Members = { names: new Set(), required: new Set(), places: new Map() };

function hasMembers(schema: JsonObject): boolean {
  return "properties" in schema || "required" in schema;
}

/**
 * Whether a schema says something of the elements of an array.
 * @example hasElements({ items: true }) // true
 */
export function hasElements(schema: JsonObject): boolean {
  return "items" in schema || "prefixItems" in schema;
}

/** Likewise of its elements: how many have a subschema of their own, and the places met. */
interface Elements {
  listed: number;
  places: (SchemaPlace | null)[];
}

/**
 * One place in the values that a schema describes: all subschemas that speak about it, merged. Those
 * are found as for type accuracy: through local `$ref` with the keywords beside it and every branch of
 * `allOf`, `anyOf` and `oneOf`. Built lazily and kept.
 * Source: specification of the extraction suite, sections 5 and 7.
 */
export class SchemaPlace {
  /** The subschemas that are objects; a `true` declares a place and says nothing about it. */
  readonly schemas: readonly JsonObject[];
  readonly #root: Json;
  #members: Members | null = null;
  #elements: Elements | null = null;

  constructor(schemas: readonly Json[], root: Json) {
    this.schemas = collect(schemas, root);
    this.#root = root;
  }

  /** What may stand here by name, in the order of the schema. */
  get names(): ReadonlySet<string> {
    return this.#readMembers().names;
  }

  /** Whether any of the subschemas requires property `name`. */
  requires(name: string): boolean {
    return this.#readMembers().required.has(name);
  }

  /** The place of property `name`; null where the schema does not foresee it. */
  property(name: string): SchemaPlace | null {
    const { names, places } = this.#readMembers();
    const known = places.get(name);
    if (known !== undefined) return known;
    const child = this.#child(this.schemas.flatMap((schema) => schemasOfProperty(schema, name)));
    if (names.has(name)) places.set(name, child);
    return child;
  }

  /** The place of the element at `index`; null where the schema does not foresee it. */
  element(index: number): SchemaPlace | null {
    if (!this.schemas.some(hasElements)) return null;
    this.#elements ??= { listed: listedElements(this.schemas), places: [] };
    const at = Math.min(index, this.#elements.listed);
    const known = this.#elements.places[at];
    if (known !== undefined) return known;
    const child = this.#child(this.schemas.flatMap((schema) => schemasOfElement(schema, at)));
    this.#elements.places[at] = child;
    return child;
  }

  #readMembers(): Members {
    if (!this.schemas.some(hasMembers)) return noMembers;
    this.#members ??= {
      names: new Set(this.schemas.flatMap((s) => Object.keys(mapUnder(s, "properties")))),
      required: new Set(this.schemas.flatMap(requiredNames)),
      places: new Map(),
    };
    return this.#members;
  }

  #child(schemas: readonly Json[]): SchemaPlace | null {
    const allowed = schemas.filter((schema) => schema !== false);
    return allowed.length === 0 ? null : new SchemaPlace(allowed, this.#root);
  }
}

const roots = new WeakMap<JsonObject, SchemaPlace>();

/**
 * The place of a whole value; worked out once per schema object.
 * @example schemaPlace({ properties: { a: true } }).property("b") // null
 */
export function schemaPlace(schema: JsonObject | boolean): SchemaPlace {
  if (!isJsonObject(schema)) return new SchemaPlace([], schema);
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const place = new SchemaPlace([schema], schema);
  roots.set(schema, place);
  return place;
}

/** `schemas` and all that judge the same place; not recursive, since `$ref`s can form chains. */
function collect(schemas: readonly Json[], root: Json): JsonObject[] {
  const found = new Set<JsonObject>();
  const open = schemas.toReversed();
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isJsonObject(schema) || found.has(schema)) continue;
    found.add(schema);
    for (const keyword of branchKeywords) {
      for (const branch of listUnder(schema, keyword)) open.push(branch);
    }
    const ref = schema["$ref"];
    if (typeof ref === "string") open.push(targetOf(ref, root));
  }
  return [...found];
}

function listedElements(schemas: readonly JsonObject[]): number {
  return schemas.reduce((most, s) => Math.max(most, elementSchemas(s).first.length), 0);
}

/** What a `$ref` into the schema itself names, by JSON pointer (RFC 6901); null where it leads nowhere. */
function targetOf(ref: string, root: Json): Json {
  if (!ref.startsWith("#")) return null;
  let at: Json = root;
  for (const step of decoded(ref.slice(1)).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return null;
    at = (at as JsonObject)[name]!;
  }
  return at;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function requiredNames(schema: JsonObject): string[] {
  const names = schema["required"];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

function schemasOfProperty(schema: JsonObject, name: string): Json[] {
  const found: Json[] = [];
  const properties = mapUnder(schema, "properties");
  if (Object.hasOwn(properties, name)) found.push(properties[name]!);
  for (const [pattern, subschema] of Object.entries(mapUnder(schema, "patternProperties"))) {
    if (name.length > maxNameLength) continue;
    if (compilePattern(pattern)?.test(name, unmetered)) found.push(subschema);
  }
  const additional = schema["additionalProperties"];
  return found.length === 0 && isJsonObject(additional) ? [additional] : found;
}

function schemasOfElement(schema: JsonObject, index: number): Json[] {
  const { first } = elementSchemas(schema);
  if (index < first.length) return [first[index]!];
  const items = schema["items"];
  return isJsonObject(items) || items === true ? [items] : [];
}

/** What one name costs is bounded and not counted. */
function unmetered(): void {}
