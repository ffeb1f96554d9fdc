import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { unicodePattern } from "./compile-pattern.ts";
import { type Draft, draftOf, type Keyword, keywords } from "./schema-keywords.ts";

/** A schema a validator can take, and what was left out of it. */
export interface TolerantSchema {
  draft: Draft;
  /** A copy with only the keywords that bear on validity or types, each with an allowed value. */
  schema: JsonObject | boolean;
  warnings: string[];
}

/** What is read of a schema beside its plain keywords. */
export interface SchemaReading {
  /** Whether `format` is asserted; else it is left out. */
  formats: boolean;
  /** Whether addresses are read: without them only `$ref`s into the schema itself are left. */
  addresses: boolean;
}

/** What copying a schema needs to know on the way down. */
interface Copying {
  draft: Draft;
  reading: SchemaReading;
  /** Every `$ref` of the schema, to keep the unknown keywords they point into. */
  refs: readonly string[];
  warnings: string[];
}

/**
 * A usable copy of a sloppy schema: an unknown `$schema` means 2020-12, keywords that the draft does
 * not know or whose value it does not allow are left out, each with a warning where it looks like a
 * mistake. Linear; `schema` itself is not changed.
 * Source: specification of the extraction suite, section 1.
 * @example tolerantSchema({ required: true }, { formats: false, addresses: true }).warnings.length // 1
 */
export function tolerantSchema(
  schema: JsonObject | boolean,
  reading: SchemaReading,
): TolerantSchema {
  if (typeof schema === "boolean") return { draft: "2020-12", schema, warnings: [] };
  const draft = draftOf(schema["$schema"]);
  const warnings: string[] = [];
  if (draft === null) {
    const address = JSON.stringify(schema["$schema"]);
    warnings.push(`#/$schema ${address} is no draft known here; read as 2020-12`);
  }
  const copying = { draft: draft ?? "2020-12", reading, refs: refsOf(schema), warnings };
  return { draft: copying.draft, schema: copySchema(schema, "#", copying) as JsonObject, warnings };
}

function refsOf(schema: Json): string[] {
  if (Array.isArray(schema)) return schema.flatMap(refsOf);
  if (!isJsonObject(schema)) return [];
  const ref = schema["$ref"];
  return [...(typeof ref === "string" ? [ref] : []), ...Object.values(schema).flatMap(refsOf)];
}

function isSchema(value: Json): value is JsonObject | boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

/** A copy of a subschema; `true`, which says nothing, in place of what is no schema. */
function copySchema(schema: Json, at: string, copying: Copying): JsonObject | boolean {
  if (!isSchema(schema)) {
    copying.warnings.push(`${at} is no schema and was ignored`);
    return true;
  }
  if (typeof schema === "boolean") return schema;
  const copy: JsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    const copied = copyKeyword(name, value, `${at}/${escaped(name)}`, copying);
    if (copied !== undefined) define(copy, name, copied);
  }
  return copy;
}

function copyKeyword(name: string, value: Json, at: string, copying: Copying): Json | undefined {
  const keyword = keywordOf(name, value, copying.draft);
  if (keyword === undefined) {
    return copying.refs.some((ref) => `${ref}/`.startsWith(`${at}/`)) && isJsonObject(value)
      ? copySchema(value, at, copying)
      : undefined;
  }
  if (!isRead(name, value, copying.reading)) return undefined;
  const copied = name === "pattern" ? patternOf(value) : copyValue(keyword, value, at, copying);
  if (copied === undefined) {
    copying.warnings.push(`${at} ${shown(value)} is not allowed and was ignored`);
  }
  return copied;
}

function isRead(name: string, value: Json, reading: SchemaReading): boolean {
  if (name === "format") return reading.formats;
  if (reading.addresses) return true;
  return name !== "$id" && (name !== "$ref" || `${value}`.startsWith("#"));
}

/** `items` may be a list, and `dependencies` exists, only before 2020-12 and 2019-09. */
function keywordOf(name: string, value: Json, draft: Draft): Keyword | undefined {
  if (name === "items" && Array.isArray(value) && draft !== "2020-12") return { holds: "schemas" };
  if (name === "dependencies" && draft === "7") return { holds: "schema-map" };
  const keyword = keywords.get(name);
  return keyword?.drafts?.includes(draft) === false ? undefined : keyword;
}

function copyValue(keyword: Keyword, value: Json, at: string, copying: Copying): Json | undefined {
  switch (keyword.holds) {
    case "value":
      return keyword.allows(value) ? value : undefined;
    case "schema":
      return isSchema(value) ? copySchema(value, at, copying) : undefined;
    case "schemas":
      return Array.isArray(value) && value.length > 0 && value.every(isSchema)
        ? value.map((schema, i) => copySchema(schema, `${at}/${i}`, copying))
        : undefined;
    case "schema-map":
      return isJsonObject(value) ? copyMap(value, at, copying) : undefined;
  }
}

function copyMap(map: JsonObject, at: string, copying: Copying): JsonObject {
  const copy: JsonObject = {};
  const [patterns, lists] = ["/patternProperties", "/dependencies"].map((end) => at.endsWith(end));
  for (const [name, schema] of Object.entries(map)) {
    const place = `${at}/${escaped(name)}`;
    const key = patterns ? unicodePattern(name) : name;
    if (key === null) copying.warnings.push(`${place} is no regular expression and was ignored`);
    else
      define(
        copy,
        key,
        lists && Array.isArray(schema) ? schema : copySchema(schema, place, copying),
      );
  }
  return copy;
}

function patternOf(value: Json): string | undefined {
  return typeof value === "string" ? (unicodePattern(value) ?? undefined) : undefined;
}

/** Sets an own property, also one named `__proto__`. */
function define(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
