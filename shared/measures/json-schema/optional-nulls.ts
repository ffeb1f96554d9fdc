import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import type { SchemaPlace } from "./schema-place.ts";

/**
 * `value` without every property that is null and that no subschema of its object requires: there null says the
 * same as leaving the property out. Nulls at required properties stay, as do null elements. Where nothing is to
 * be removed it is `value` itself; null `place` means that the schema foresees nothing here. Linear; recursive.
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
