import { bounds, cutText } from "../../../../contracts/bounds.ts";
import type { SchemaPlace } from "../../../../measures/json-schema/schema-place.ts";

/** A place in a sample's values: its path, and its part of the schema. */
export interface FieldPlace {
  path: string;
  /** The path without indices: `items[].price`. */
  namePath: string;
  /** The last property name on the path; empty at the root. */
  name: string;
  /** Number of property names on the path. */
  names: number;
  /** Whether every property on the path is required. */
  required: boolean;
  /** The schema at this place; null if there is none. */
  schema: SchemaPlace | null;
  /** Name path of the last place on the path that the schema names; null if it names the whole path. */
  openAt: string | null;
}

/**
 * The place of a whole value.
 * @example rootPlace(prepareSchema(schema, false).place).path // ""
 */
export function rootPlace(schema: SchemaPlace): FieldPlace {
  return { path: "", namePath: "", name: "", names: 0, required: true, schema, openAt: null };
}

/**
 * The place of property `name` of the object at `place`. A property is required if a subschema of its object lists it.
 * Source: docs/spec/extraction.md, sections 2.3 and 7.
 * @example propertyPlace(root, "items").namePath // "items"
 */
export function propertyPlace(place: FieldPlace, name: string): FieldPlace {
  return {
    path: propertyPath(place.path, name),
    namePath: propertyPath(place.namePath, name),
    name,
    names: place.names + 1,
    required: place.required && place.schema?.requires(name) === true,
    schema: place.schema?.property(name) ?? null,
    openAt: place.openAt ?? (place.schema?.names.has(name) === true ? null : place.namePath),
  };
}

/**
 * The place of the element at `index` of the array at `place`.
 * Source: docs/spec/extraction.md, section 2.3.
 * @example elementPlace(items, 0).path // "items[0]"
 */
export function elementPlace(place: FieldPlace, index: number): FieldPlace {
  return {
    path: elementPath(place.path, index),
    namePath: namedElementPath(place.namePath),
    name: place.name,
    names: place.names,
    required: place.required,
    schema: place.schema?.element(index) ?? null,
    openAt: place.openAt ?? (place.schema === null ? place.namePath : null),
  };
}

/**
 * Depth of a place: property names on its path − 1, 0 at the root.
 * Source: docs/spec/extraction.md, section 2.3.
 * @example depthOf(propertyPlace(root, "a")) // 0
 */
export function depthOf(place: FieldPlace): number {
  return Math.max(0, place.names - 1);
}

/** Characters that would make an unquoted name ambiguous in a path. */
const special = /[.[\]"]|^$/;

/** Nested objects can have paths of any length, and an answer of several megabytes has one for each field. */
const shortPath = (path: string): string => cutText(path, bounds.fieldName);

/**
 * The path of property `name` within the value at `path`: joined by a dot, or quoted in brackets if the name contains a
 * dot, a bracket or a quote, so that no two fields share a path. Cut after 500 characters.
 * Source: docs/spec/extraction.md, section 2.3.
 * @example propertyPath("items[0]", "price") // "items[0].price"
 */
export function propertyPath(path: string, name: string): string {
  if (special.test(name)) return shortPath(`${path}[${JSON.stringify(name)}]`);
  return path === "" ? name : shortPath(`${path}.${name}`);
}

/**
 * The path of the element at `index` of the array at `path`.
 * @example elementPath("items", 0) // "items[0]"
 */
export function elementPath(path: string, index: number): string {
  return shortPath(`${path}[${index}]`);
}

/**
 * The name path of the elements of the array at name path `path`.
 * @example namedElementPath("items") // "items[]"
 */
function namedElementPath(path: string): string {
  return shortPath(`${path}[]`);
}
