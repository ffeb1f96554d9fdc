import { elementPath, namedElementPath, propertyPath } from "./field-path.ts";
import type { SchemaPlace } from "./schema-place.ts";
import type { TypeWalk } from "./type-walk.ts";

/** A place in a sample's values: its path, and what the schema says about it. */
export interface FieldPlace {
  path: string;
  /** The path without indices: `items[].price`. */
  namePath: string;
  /** The last property name on the path; empty at the root. */
  name: string;
  /** Property names on the path. */
  names: number;
  /** Whether every property on the path is required. */
  required: boolean;
  types: TypeWalk;
  /** Null where the schema does not foresee anything. */
  schema: SchemaPlace | null;
}

/**
 * The place of a whole value.
 * @example rootPlace(types, schemaPlace(schema)).path // ""
 */
export function rootPlace(types: TypeWalk, schema: SchemaPlace): FieldPlace {
  return { path: "", namePath: "", name: "", names: 0, required: true, types, schema };
}

/**
 * The place of property `name` of the object at `place`. A property is required when one of the
 * subschemas of its object lists it.
 * Source: specification of the extraction suite, sections 2.3 and 7.
 * @example propertyPlace(root, "items").namePath // "items"
 */
export function propertyPlace(place: FieldPlace, name: string): FieldPlace {
  return {
    path: propertyPath(place.path, name),
    namePath: propertyPath(place.namePath, name),
    name,
    names: place.names + 1,
    required: place.required && place.schema?.requires(name) === true,
    types: place.types.property(name),
    schema: place.schema?.property(name) ?? null,
  };
}

/**
 * The place of the element at `index` of the array at `place`.
 * Source: specification of the extraction suite, section 2.3.
 * @example elementPlace(items, 0).path // "items[0]"
 */
export function elementPlace(place: FieldPlace, index: number): FieldPlace {
  return {
    path: elementPath(place.path, index),
    namePath: namedElementPath(place.namePath),
    name: place.name,
    names: place.names,
    required: place.required,
    types: place.types.element(index),
    schema: place.schema?.element(index) ?? null,
  };
}

/**
 * Depth of a place: property names on its path − 1, 0 at the root.
 * Source: specification of the extraction suite, section 2.3.
 * @example depthOf(propertyPlace(root, "a")) // 0
 */
export function depthOf(place: FieldPlace): number {
  return Math.max(0, place.names - 1);
}
