import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import type { SchemaPlace } from "./schema-place.ts";

/**
 * Removes every null property that no subschema of its object requires: there null means the same as a missing
 * property. Null at required properties and null elements stay. Returns `value` itself if nothing is removed; null
 * `place` means that the schema describes nothing here. Linear; recursive.
 * Source: docs/spec/extraction.md, sections 2.1 and 5, schema validity.
 * @example withoutOptionalNulls({ a: null }, new SchemaPlace([{}], () => undefined)) // {}
 */
export function withoutOptionalNulls(value: Json, place: SchemaPlace | null): Json {
  if (Array.isArray(value)) return elementsWithoutNulls(value, place);
  return isJsonObject(value) ? propertiesWithoutNulls(value, place) : value;
}

function elementsWithoutNulls(value: Json[], place: SchemaPlace | null): Json[] {
  let isSame = true;
  const elements = value.map((element, i) => {
    if (typeof element !== "object" || element === null) return element;
    const kept = withoutOptionalNulls(element, place?.element(i) ?? null);
    isSame &&= kept === element;
    return kept;
  });
  return isSame ? value : elements;
}

function propertiesWithoutNulls(value: JsonObject, place: SchemaPlace | null): JsonObject {
  let isSame = true;
  const kept = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (typeof member !== "object") return [[name, member]];
    if (member === null) {
      const isRequired = place?.requires(name) === true;
      isSame &&= isRequired;
      return isRequired ? [[name, member]] : [];
    }
    const part = withoutOptionalNulls(member, place?.property(name) ?? null);
    isSame &&= part === member;
    return [[name, part]];
  });
  return isSame ? value : Object.fromEntries(kept);
}
