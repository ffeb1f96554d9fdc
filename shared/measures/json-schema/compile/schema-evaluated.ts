import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import type { SchemaIndex } from "../index/schema-index.ts";
import { elementSchemas, listUnder, mapUnder } from "../index/schema-parts.ts";
import type { FindTarget } from "../index/schema-refs.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import type { Check, SchemaRun } from "./schema-run.ts";

/** The parts of a compiler that the check uses: parts of the indexed schema, and targets of their references. */
interface SubschemaCompiler {
  readonly index: SchemaIndex;
  compile(schema: Json): Check;
  targetsOf(schema: JsonObject): readonly FindTarget[];
}

/** The members of a value that valid subschemas have evaluated. */
interface Evaluated {
  everything: boolean;
  members: Set<string | number>;
  seen: Set<JsonObject>;
}

/**
 * The check of `unevaluatedProperties` and `unevaluatedItems`; null if a schema has neither. It must run after all
 * other keywords of the schema have accepted the value.
 * Source: JSON Schema 2020-12 core, section 11; 2019-09 core, section 9.3.
 * @example unevaluatedCheck({ type: "object" }, compiler) // null
 */
export function unevaluatedCheck(schema: JsonObject, compiler: SubschemaCompiler): Check | null {
  const { unevaluatedProperties: properties, unevaluatedItems: items } = schema;
  if (properties === undefined && items === undefined) return null;
  const byName = properties === undefined ? null : compiler.compile(properties);
  const byIndex = items === undefined ? null : compiler.compile(items);
  const { unevaluatedProperties: _, unevaluatedItems: __, ...others } = schema;
  return (value, run) => {
    const check = Array.isArray(value) ? byIndex : isJsonObject(value) ? byName : null;
    if (check === null) return true;
    const evaluated: Evaluated = { everything: false, members: new Set(), seen: new Set([schema]) };
    new Marker(compiler, run, evaluated).markOwn(others, schema, value as Json[] | JsonObject);
    return (
      evaluated.everything ||
      Object.entries(value as JsonObject).every(([name, member]) => {
        const key = Array.isArray(value) ? Number(name) : name;
        return evaluated.members.has(key) || check(member, run);
      })
    );
  };
}

/** Collects what valid subschemas evaluated of a value, using only subschemas that accept it. */
class Marker {
  readonly #compiler: SubschemaCompiler;
  readonly #run: SchemaRun;
  readonly #into: Evaluated;

  constructor(compiler: SubschemaCompiler, run: SchemaRun, into: Evaluated) {
    this.#compiler = compiler;
    this.#run = run;
    this.#into = into;
  }

  /** Marks what `schema`, which accepts `value`, evaluates by its own keywords and those of schemas it refers to. */
  #mark(schema: Json, value: Json[] | JsonObject): void {
    if (!isJsonObject(schema) || this.#into.seen.has(schema)) return;
    this.#into.seen.add(schema);
    const { index } = this.#compiler;
    const outer = this.#run.scope;
    if (index.dynamic) this.#run.scope = outer.enter(index.resourceOf(schema));
    this.markOwn(schema, schema, value);
    this.#run.scope = outer;
  }

  /** Like `#mark`, with the keywords of `keywords`: those of `schema`, or fewer. */
  markOwn(keywords: JsonObject, schema: JsonObject, value: Json[] | JsonObject): void {
    this.#run.spend(1);
    if (Array.isArray(value)) this.#markElements(keywords, value);
    else this.#markProperties(keywords, value);
    for (const target of this.#compiler.targetsOf(schema)) {
      const found = target(this.#run);
      if (found !== null) this.#mark(found.schema, value);
    }
    for (const branch of listUnder(keywords, "allOf")) this.#mark(branch, value);
    for (const keyword of ["anyOf", "oneOf"]) {
      for (const branch of listUnder(keywords, keyword)) this.#markIfValid(branch, value);
    }
    const condition = keywords["if"];
    if (condition !== undefined) {
      const chosen = this.#markIfValid(condition, value) ? keywords["then"] : keywords["else"];
      if (chosen !== undefined) this.#mark(chosen, value);
    }
  }

  #markIfValid(branch: Json, value: Json[] | JsonObject): boolean {
    const valid = this.#run.once(this.#compiler.compile(branch), value);
    if (valid) this.#mark(branch, value);
    return valid;
  }

  #markProperties(schema: JsonObject, value: JsonObject): void {
    const names = Object.keys(value);
    if ("additionalProperties" in schema || "unevaluatedProperties" in schema) {
      this.#into.everything = true;
    }
    for (const name of names) {
      if (Object.hasOwn(mapUnder(schema, "properties"), name)) this.#into.members.add(name);
    }
    for (const pattern of Object.keys(mapUnder(schema, "patternProperties"))) {
      const compiled = compilePattern(pattern);
      for (const name of names) {
        this.#run.spend(1);
        if (compiled?.test(name, (n) => this.#run.spend(n))) this.#into.members.add(name);
      }
    }
    for (const [name, branch] of Object.entries(mapUnder(schema, "dependentSchemas"))) {
      if (Object.hasOwn(value, name)) this.#mark(branch, value);
    }
  }

  /** Before 2020-12, `items` can be a list, and `contains` marks no elements. */
  #markElements(schema: JsonObject, value: Json[]): void {
    const { unevaluatedItems, contains } = schema;
    const { first, rest } = elementSchemas(schema);
    if (rest !== undefined || unevaluatedItems !== undefined) this.#into.everything = true;
    for (const i of first.keys()) this.#into.members.add(i);
    if (contains === undefined || this.#compiler.index.root.document.draft !== "2020-12") return;
    const check = this.#compiler.compile(contains);
    for (const [i, element] of value.entries()) {
      if (!this.#into.members.has(i) && check(element, this.#run)) this.#into.members.add(i);
    }
  }
}
