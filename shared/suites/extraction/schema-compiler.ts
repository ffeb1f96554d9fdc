import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { checks } from "./keyword-checks.ts";
import { applicators } from "./schema-applicators.ts";
import { unevaluatedCheck } from "./schema-evaluated.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { draftOf } from "./schema-keywords.ts";
import { elementsCheck, propertiesCheck } from "./schema-members.ts";
import { type FindTarget, refTargets } from "./schema-refs.ts";
import { type Check, SchemaRun } from "./schema-run.ts";
import { TolerantSchema } from "./tolerant-schema.ts";

/**
 * Turns a schema into a function that answers whether a value is valid, and stops at the first sign
 * that it is not. Parts are prepared when they are first met. A `$ref` that leads nowhere checks
 * nothing.
 * Source: JSON Schema 2020-12 core, sections 7–11; 2019-09 and draft-07 likewise.
 */
export class SchemaCompiler {
  readonly index: SchemaIndex;
  readonly #compiled = new Map<JsonObject, Check>();
  readonly #targets = new Map<JsonObject, FindTarget[]>();

  constructor(index: SchemaIndex) {
    this.index = index;
  }

  /** The check of a part of the indexed schema. */
  readonly compile = (schema: Json): Check => {
    if (!isJsonObject(schema)) return () => schema === true;
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    let prepared: Check | null = null;
    const check: Check = (value, run) => {
      prepared ??= this.#prepare(schema);
      return prepared(value, run);
    };
    this.#compiled.set(schema, check);
    return check;
  };

  /** Where the references of a part of the indexed schema lead. */
  targetsOf(schema: JsonObject): readonly FindTarget[] {
    let targets = this.#targets.get(schema);
    if (targets === undefined) {
      targets = refTargets(schema, this.index);
      this.#targets.set(schema, targets);
    }
    return targets;
  }

  /**
   * Whether `value` is valid.
   * @throws UnjudgedError when it takes too many steps
   */
  isValid(value: Json): boolean {
    const { root } = this.index;
    return this.compile(root.root)(value, new SchemaRun(root));
  }

  #prepare(schema: JsonObject): Check {
    const found = this.#checksOf(schema);
    const check: Check = (value, run) => {
      run.spend(1);
      for (const one of found) if (!one(value, run)) return false;
      return true;
    };
    const resource = this.index.resourceOf(schema);
    if (this.index.dynamic && resource.root === schema) {
      return (value, run) => run.within(resource, check, value);
    }
    const looksTwice = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    return looksTwice ? (value, run) => run.once(check, value) : check;
  }

  #checksOf(schema: JsonObject): Check[] {
    const { index, compile } = this;
    const refs = this.targetsOf(schema).map((target) => this.#refCheck(target));
    const { draft } = index.resourceOf(schema).document;
    if (draft === "7" && schema["$ref"] !== undefined) return [...refs, ...this.#metaCheck(schema)];
    const plain: Check[] = [];
    const nested: (Check | null)[] = [...refs, ...this.#metaCheck(schema)];
    for (const [name, keyword] of Object.entries(schema)) {
      const make = checks.get(name);
      if (make !== undefined) plain.push(make(keyword));
      else nested.push(applicators.get(name)?.(keyword, compile, schema) ?? null);
    }
    nested.push(propertiesCheck(schema, compile), elementsCheck(schema, compile));
    nested.push(unevaluatedCheck(schema, this));
    return [...plain, ...nested.filter((check) => check !== null)];
  }

  #refCheck(target: FindTarget): Check {
    return (value, run) => {
      const found = target(run);
      if (found === null) return true;
      const check = this.compile(found.schema);
      return this.index.dynamic ? run.within(found.resource, check, value) : run.once(check, value);
    };
  }

  /** A `$ref` to the meta-schema of a draft asks for a schema in which nothing is amiss. */
  #metaCheck(schema: JsonObject): Check[] {
    const ref = schema["$ref"];
    const draft = ref === undefined ? null : draftOf(ref);
    if (draft === null || this.index.resolve(ref as string, schema) !== null) return [];
    return [
      (value, run) => {
        run.spend(100);
        if (typeof value !== "boolean" && !isJsonObject(value)) return false;
        const reading = { draft, formats: false };
        return new TolerantSchema(value, reading).warnings.length === 0;
      },
    ];
  }
}
