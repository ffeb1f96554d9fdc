import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { pointerStep } from "./schema-address.ts";
import { type Draft, draftOf, type Keyword, keywordOf } from "./schema-keywords.ts";

/** Maximum number of warnings for one schema. */
const maxWarnings = 50;

/**
 * A usable copy of an incorrect schema. An unknown `$schema` means 2020-12; keywords that the draft does not know, or
 * with values that it does not allow, are omitted, with a warning if it looks like a mistake. `draft` is for a schema
 * that names none. Linear; the original is not changed.
 * Source: docs/spec/extraction.md, section 1.
 * @example new TolerantSchema({ required: true }).warnings.length // 1
 */
export class TolerantSchema {
  readonly draft: Draft;
  readonly original: JsonObject | boolean;
  /** A copy with only the keywords that affect validity or types, each with an allowed value. */
  readonly schema: JsonObject | boolean;
  readonly warnings: string[] = [];
  readonly #copies = new Map<JsonObject, JsonObject>();
  #unlisted = 0;

  constructor(schema: JsonObject | boolean, draft: Draft = "2020-12") {
    const address = isJsonObject(schema) ? schema["$schema"] : undefined;
    const named = address === undefined ? draft : draftOf(address);
    if (named === null) {
      this.warn(`#/$schema ${shown(address!)} is not a supported draft; read as 2020-12`);
    }
    this.draft = named ?? "2020-12";
    this.original = schema;
    this.schema = this.#copySchema(schema, "#");
  }

  /** Adds a warning; from the fiftieth on, the last one counts the rest. */
  warn(warning: string): void {
    if (this.warnings.length < maxWarnings) this.warnings.push(warning);
    else this.warnings[maxWarnings] = `and ${++this.#unlisted} more`;
  }

  /** The copy of a subschema of the original; created now for one under no known keyword. */
  copyOf(original: JsonObject | boolean, at: string): JsonObject | boolean {
    return isJsonObject(original)
      ? (this.#copies.get(original) ?? this.#copySchema(original, at))
      : original;
  }

  /** A copy of a subschema; `true`, which accepts everything, if it is not a schema. */
  #copySchema(schema: Json, at: string): JsonObject | boolean {
    if (!isSchema(schema)) {
      this.warn(`${at} is not a schema and was ignored`);
      return true;
    }
    if (typeof schema === "boolean") return schema;
    const copy: JsonObject = {};
    this.#copies.set(schema, copy);
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name, value, this.draft);
      if (keyword === undefined) continue;
      const place = `${at}/${pointerStep(name)}`;
      const copied = this.#copyValue(keyword, name, value, place);
      if (copied !== undefined) define(copy, name, copied);
      else this.warn(`${place} ${shown(value)} is not allowed and was ignored`);
    }
    return copy;
  }

  #copyValue(keyword: Keyword, name: string, value: Json, at: string): Json | undefined {
    switch (keyword.holds) {
      case "value":
        if (!keyword.allows(value)) return undefined;
        return name === "pattern" && compilePattern(value as string) === null ? undefined : value;
      case "schema":
        return isSchema(value) ? this.#copySchema(value, at) : undefined;
      case "schemas":
        return Array.isArray(value) && value.length > 0 && value.every(isSchema)
          ? value.map((schema, i) => this.#copySchema(schema, `${at}/${i}`))
          : undefined;
      case "schema-map":
        return isJsonObject(value) ? this.#copyMap(name, value, at) : undefined;
    }
  }

  #copyMap(keyword: string, map: JsonObject, at: string): JsonObject {
    const copy: JsonObject = {};
    for (const [name, schema] of Object.entries(map)) {
      const place = `${at}/${pointerStep(name)}`;
      const isInvalid = keyword === "patternProperties" && compilePattern(name) === null;
      if (isInvalid) this.warn(`${place} is not a regular expression and was ignored`);
      else if (keyword === "dependencies" && Array.isArray(schema)) define(copy, name, schema);
      else define(copy, name, this.#copySchema(schema, place));
    }
    return copy;
  }
}

function isSchema(value: Json): value is JsonObject | boolean {
  return typeof value === "boolean" || isJsonObject(value);
}

/** Sets an own property, including `__proto__`, for which an assignment would set the prototype. */
function define(object: JsonObject, name: string, value: Json): void {
  if (name !== "__proto__") object[name] = value;
  else {
    const open = { enumerable: true, writable: true, configurable: true };
    Object.defineProperty(object, name, { value, ...open });
  }
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
