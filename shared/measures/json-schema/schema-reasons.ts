import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { jsonType } from "../matching/json-type.ts";
import type { SchemaCompiler } from "./compile/schema-compiler.ts";
import { SchemaRun, whyUndecided } from "./compile/schema-run.ts";
import { pointerStep } from "./index/schema-address.ts";
import { elementSchemas, listUnder, mapUnder } from "./index/schema-parts.ts";
import { compilePattern } from "./regex/compile-pattern.ts";

/** Maximum number of reasons for one value. */
const maxReasons = 5;

/**
 * Up to five reasons why the schema rejects a value, each with the place in the value, the keyword and the error:
 * `#/a type: is number, not string`; the innermost first. Visits only invalid parts and stops at the fifth reason;
 * gives at least one, even if the step limit is exceeded.
 * @example invalidReasons({ a: 1 }, compiler) // ["#/a type: is number, not string"]
 */
export function invalidReasons(value: Json, compiler: SchemaCompiler): string[] {
  const finder = new ReasonFinder(compiler, value);
  try {
    finder.explain(compiler.index.root.root, value, "#");
  } catch (error) {
    // Reasons found before the limit are used.
    if (whyUndecided(error) === null) throw error;
  }
  return finder.reasons.length > 0 ? finder.reasons : ["# schema: does not fit"];
}

/** Keywords that reject the whole value and can't point to a part of it. */
const opaque = [
  "not",
  "contains",
  "propertyNames",
  "dependentSchemas",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$ref",
];

class ReasonFinder {
  readonly reasons: string[] = [];
  readonly #compiler: SchemaCompiler;
  readonly #run: SchemaRun;

  constructor(compiler: SchemaCompiler, value: Json) {
    this.#compiler = compiler;
    this.#run = new SchemaRun(compiler.index.root, value);
  }

  /** Adds the reasons of `schema` if it rejects `value`, which is at `outer`, or is its member `key`. */
  #look(schema: Json, value: Json, outer: string, key?: string | number): void {
    if (this.reasons.length >= maxReasons || this.#accepts(schema, value)) return;
    const at = key === undefined ? outer : `${outer}/${pointerStep(`${key}`)}`;
    this.explain(schema, value, at);
  }

  /** Adds the reasons of `schema`, which rejects `value` at this place. */
  explain(schema: Json, value: Json, at: string): void {
    const before = this.reasons.length;
    if (isJsonObject(schema)) this.#lookInto(schema, value, at);
    if (this.reasons.length > before) return;
    const refusing = isJsonObject(schema) ? opaque.filter((name) => name in schema) : [];
    this.#add(at, refusing.join(" or ") || "schema", "does not fit");
  }

  #lookInto(schema: JsonObject, value: Json, at: string): void {
    const outer = this.#run.scope;
    const { index } = this.#compiler;
    const resource = index.resourceOf(schema);
    if (index.dynamic) this.#run.scope = outer.enter(resource);
    for (const target of this.#compiler.targetsOf(schema)) {
      const found = target(this.#run);
      if (found !== null) this.#look(found.schema, value, at);
    }
    if (schema["$ref"] === undefined || resource.document.draft !== "7") {
      this.#lookAtKeywords(schema, value, at);
    }
    this.#run.scope = outer;
  }

  #lookAtKeywords(schema: JsonObject, value: Json, at: string): void {
    for (const { keyword, asked, check } of this.#compiler.plainChecksOf(schema)) {
      if (!check(value, this.#run)) this.#add(at, keyword, invalidReason(keyword, asked, value));
    }
    if (isJsonObject(value)) this.#lookAtProperties(schema, value, at);
    if (Array.isArray(value)) this.#lookAtElements(schema, value, at);
    for (const branch of listUnder(schema, "allOf")) this.#look(branch, value, at);
    this.#lookAtAlternatives("anyOf", listUnder(schema, "anyOf"), value, at);
    this.#lookAtAlternatives("oneOf", listUnder(schema, "oneOf"), value, at);
    const condition = schema["if"];
    if (condition === undefined) return;
    const applied = this.#accepts(condition, value) ? "then" : "else";
    this.#look(schema[applied] ?? true, value, at);
  }

  #lookAtAlternatives(keyword: string, branches: readonly Json[], value: Json, at: string): void {
    const fitting = branches.filter((branch) => this.#accepts(branch, value)).length;
    if (branches.length === 0 || fitting === 1 || (keyword === "anyOf" && fitting > 0)) return;
    if (fitting === 0) for (const branch of branches) this.#look(branch, value, at);
    this.#add(at, keyword, `${fitting} of ${branches.length} alternatives fit`);
  }

  #lookAtProperties(schema: JsonObject, value: JsonObject, at: string): void {
    const named = mapUnder(schema, "properties");
    const patterns = Object.entries(mapUnder(schema, "patternProperties"));
    const additional = schema["additionalProperties"];
    for (const name of Object.keys(value)) {
      let isCovered = Object.hasOwn(named, name);
      if (isCovered) this.#look(named[name]!, value[name]!, at, name);
      for (const [pattern, part] of patterns) {
        if (!compilePattern(pattern)?.test(name, (steps) => this.#run.spend(steps))) continue;
        isCovered = true;
        this.#look(part, value[name]!, at, name);
      }
      if (!isCovered && additional !== undefined) this.#look(additional, value[name]!, at, name);
    }
  }

  #lookAtElements(schema: JsonObject, value: readonly Json[], at: string): void {
    const { first, rest } = elementSchemas(schema);
    for (const [i, element] of value.entries()) {
      const part = first[i] ?? rest;
      if (part !== undefined) this.#look(part, element, at, i);
    }
  }

  #accepts(schema: Json, value: Json): boolean {
    return this.#run.once(this.#compiler.compile(schema), value);
  }

  #add(at: string, keyword: string, text: string): void {
    if (this.reasons.length < maxReasons) this.reasons.push(`${at} ${keyword}: ${text}`);
  }
}

/**
 * Why `keyword` with the value `asked` rejects `value`, in a few words.
 * @example invalidReason("type", "string", 5) // "is number, not string"
 */
export function invalidReason(keyword: string, asked: Json, value: Json): string {
  switch (keyword) {
    case "type":
      return `is ${jsonType(value)}, not ${Array.isArray(asked) ? asked.join(" or ") : asked}`;
    case "required":
      return `${quoted(missing(asked as string[], value))} is missing`;
    case "enum":
      return `${quoted(value)} is not one of ${quoted(asked)}`;
    case "const":
      return `${quoted(value)} is not ${quoted(asked)}`;
    case "uniqueItems":
      return "an element occurs twice";
    case "minLength":
    case "maxLength":
      return `has ${[...(value as string)].length} characters, the limit is ${asked}`;
    case "minItems":
    case "maxItems":
      return `has ${(value as Json[]).length} elements, the limit is ${asked}`;
    case "minProperties":
    case "maxProperties":
      return `has ${Object.keys(value as object).length} properties, the limit is ${asked}`;
    default:
      return `${quoted(value)} does not meet ${quoted(asked)}`;
  }
}

function missing(names: readonly string[], value: Json): string {
  return names.find((name) => !isJsonObject(value) || !Object.hasOwn(value, name)) ?? "";
}

/** As JSON, shortened: a value may be a whole document. */
function quoted(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
