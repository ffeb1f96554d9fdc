import type { JsonObject } from "../../../contracts/json.ts";
import { maxDepth } from "../../../measures/json-output/nesting.ts";
import { hasElements } from "../../../measures/json-schema/place-schemas.ts";
import type { SchemaPlace } from "../../../measures/json-schema/schema-place.ts";
import { jsonType } from "../../../measures/matching/json-type.ts";

/** How complex a sample's schema is. */
export interface SchemaComplexity {
  totalFields: number;
  requiredFields: number;
  optionalFields: number;
  maxDepth: number;
  hasArrays: boolean;
  hasNestedObjects: boolean;
  typeDiversity: number;
  enumFields: number;
  formatFields: number;
  bin: "simple" | "medium" | "complex";
}

/** Maximum visited places of a schema: more than any bin needs, but a limit for nested `$ref`s that multiply. */
const maxWalked = 10_000;

/** Maximum subschemas at these places in total: a second of work, and twice as many as in FHIR's schema. */
const maxMet = 300_000;

/** Maximum subschemas at one place that apply to every name that a model may invent. */
const maxGeneral = 500;

/** Limits above which a schema is complex, and below which it is simple. */
const complexAbove = { totalFields: 15, maxDepth: 2 };
const simpleBelow = { totalFields: 5, maxDepth: 1 };

const known = new WeakMap<SchemaPlace, LeafCount>();

/**
 * Complexity of a schema rooted at `root`: the number of leaf properties (`totalFields`), how many of them have only
 * required properties on their path, the largest depth, the number of distinct JSON types of leaves except null
 * (`typeDiversity`), and the leaves with `enum` and with `format`. Arrays are entered at their first element only;
 * `$ref` is followed, and the branches of `allOf`, `anyOf` and `oneOf` are merged; a recursive schema stops at its
 * first repeat. An object without named properties is a leaf; as the root it has no field. All 0 for a schema without
 * named properties. Visits at most 10,000 places, none deeper than `maxDepth` of `nesting.ts`. Computed once per
 * prepared schema.
 * Source: docs/spec/extraction.md, section 7.
 * @example schemaComplexity(prepareSchema({ properties: { a: {} } }, false).place).totalFields // 1
 */
export function schemaComplexity(root: SchemaPlace): SchemaComplexity {
  return countOf(root).complexity();
}

/**
 * Whether so many subschemas apply to the same places that types can't be judged in bounded time: each field of an
 * answer would be checked against all of them. Computed together with the complexity.
 * @example isTooWide(prepareSchema({ properties: { a: {} } }, false).place) // false
 */
export function isTooWide(root: SchemaPlace): boolean {
  return countOf(root).tooWide;
}

function countOf(root: SchemaPlace): LeafCount {
  const before = known.get(root);
  if (before !== undefined) return before;
  const count = new LeafCount();
  count.walk(root, 0, true, null);
  known.set(root, count);
  return count;
}

/** The subschemas on the path of a walk, nearest first. */
interface Passed {
  schemas: readonly JsonObject[];
  above: Passed | null;
  depth: number;
}

class LeafCount {
  tooWide = false;
  #walked = 0;
  #met = 0;
  #total = 0;
  #required = 0;
  #maxDepth = 0;
  #arrays = false;
  #nestedObjects = false;
  #enums = 0;
  #formats = 0;
  readonly #types = new Set<string>();

  /** `names` are the properties on the path. */
  walk(place: SchemaPlace, names: number, required: boolean, above: Passed | null): void {
    if (!this.#enters(place, above)) return;
    const fresh = place.schemas.filter((schema) => !isPassed(schema, above));
    const isFresh = new Set(fresh);
    const element = place.element(0);
    const types = typesOf(place);
    this.#arrays ||= types.has("array") || element !== null;
    this.#nestedObjects ||= names > 0 && (types.has("object") || place.names.size > 0);
    for (const name of place.names) {
      if (this.#isOver()) break;
      const declaring = place.declaring(name).filter((schema) => isFresh.has(schema));
      const way = passing(declaring, above);
      const child = way && place.property(name);
      if (child) this.walk(child, names + 1, required && place.requires(name), way);
    }
    const isWalked = holdsMore(element);
    const way = isWalked ? passing(fresh.filter(hasElements), above) : null;
    if (way !== null) this.walk(element!, names, required, way);
    const isWhole = fresh.length === place.schemas.length;
    if (isWhole && place.names.size === 0 && !isWalked && names > 0) {
      this.#leaf(place, types, names, required);
    }
  }

  /** Whether the walk enters a place: it is bounded. */
  #enters(place: SchemaPlace, above: Passed | null): boolean {
    if (this.#isOver() || (above?.depth ?? 0) >= maxDepth) return false;
    this.#walked++;
    this.#met += place.schemas.length;
    this.tooWide = this.#met > maxMet || place.generalCount > maxGeneral;
    return true;
  }

  #isOver(): boolean {
    return this.tooWide || this.#walked >= maxWalked;
  }

  #leaf(place: SchemaPlace, types: Set<string>, names: number, required: boolean): void {
    this.#total++;
    if (required) this.#required++;
    this.#maxDepth = Math.max(this.#maxDepth, names - 1);
    for (const type of types) this.#types.add(type);
    if (place.schemas.some((schema) => Array.isArray(schema["enum"]))) this.#enums++;
    if (place.schemas.some((schema) => typeof schema["format"] === "string")) this.#formats++;
  }

  complexity(): SchemaComplexity {
    return {
      totalFields: this.#total,
      requiredFields: this.#required,
      optionalFields: this.#total - this.#required,
      maxDepth: this.#maxDepth,
      hasArrays: this.#arrays,
      hasNestedObjects: this.#nestedObjects,
      typeDiversity: this.#types.size,
      enumFields: this.#enums,
      formatFields: this.#formats,
      bin: binOf(this.#total, this.#maxDepth),
    };
  }
}

function passing(schemas: readonly JsonObject[], above: Passed | null): Passed | null {
  return schemas.length === 0 ? null : { schemas, above, depth: (above?.depth ?? 0) + 1 };
}

function isPassed(schema: JsonObject, above: Passed | null): boolean {
  for (let at = above; at !== null; at = at.above) if (at.schemas.includes(schema)) return true;
  return false;
}

/** Whether elements are objects or arrays of objects, so that the array is not a leaf. */
function holdsMore(element: SchemaPlace | null): boolean {
  return element !== null && (element.names.size > 0 || element.element(0) !== null);
}

/** The JSON types that a place names by `type`, or by the values of `enum` and `const`; without null. */
function typesOf(place: SchemaPlace): Set<string> {
  const types = new Set<string>();
  for (const { type, enum: allowed, const: constant } of place.schemas) {
    if (type !== undefined) for (const one of [type].flat()) types.add(String(one));
    else if (Array.isArray(allowed)) for (const value of allowed) types.add(jsonType(value));
    else if (constant !== undefined) types.add(jsonType(constant));
  }
  if (types.delete("integer")) types.add("number");
  types.delete("null");
  return types;
}

function binOf(totalFields: number, maxDepth: number): SchemaComplexity["bin"] {
  if (totalFields > complexAbove.totalFields || maxDepth > complexAbove.maxDepth) return "complex";
  return totalFields < simpleBelow.totalFields && maxDepth <= simpleBelow.maxDepth
    ? "simple"
    : "medium";
}
