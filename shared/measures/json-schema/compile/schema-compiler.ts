import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import type { SchemaIndex } from "../index/schema-index.ts";
import { draftOf } from "../index/schema-keywords.ts";
import { type FindTarget, refTargets } from "../index/schema-refs.ts";
import { TolerantSchema } from "../index/tolerant-schema.ts";
import { checks, type KeywordCheck } from "./keyword-checks.ts";
import { applicators } from "./schema-applicators.ts";
import { unevaluatedCheck } from "./schema-evaluated.ts";
import { elementsCheck, propertiesCheck, shapeCheck } from "./schema-members.ts";
import { type Check, SchemaRun } from "./schema-run.ts";

/** A keyword that depends on no other schema, with its value. */
interface PlainCheck {
  keyword: string;
  asked: Json;
  check: KeywordCheck;
}

/**
 * Compiles a schema to a function that says whether a value is valid; it stops at the first error. The target of a
 * reference is compiled when it is first used, because references can be circular. A `$ref` without a target checks
 * nothing, nor does `format` unless it is asserted.
 * Source: JSON Schema 2020-12 core, sections 7–11; 2019-09 and draft-07 likewise.
 */
export class SchemaCompiler {
  readonly index: SchemaIndex;
  readonly #compiled = new Map<JsonObject, Check>();
  readonly #targets = new Map<JsonObject, FindTarget[]>();
  readonly #plain = new Map<JsonObject, PlainCheck[]>();
  readonly #assertsFormats: boolean;

  constructor(index: SchemaIndex, assertFormats: boolean) {
    this.index = index;
    this.#assertsFormats = assertFormats;
  }

  /** The check of a part of the indexed schema. */
  readonly compile = (schema: Json): Check => {
    if (!isJsonObject(schema)) return schema === true ? acceptsAll : acceptsNothing;
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const check = this.#prepare(schema);
    this.#compiled.set(schema, check);
    return check;
  };

  /** The targets of the references in a part of the indexed schema. */
  targetsOf(schema: JsonObject): readonly FindTarget[] {
    let targets = this.#targets.get(schema);
    if (targets === undefined) {
      targets = refTargets(schema, this.index);
      this.#targets.set(schema, targets);
    }
    return targets;
  }

  /** The keywords of a part of the indexed schema that depend on no other schema, in its order. */
  plainChecksOf(schema: JsonObject): readonly PlainCheck[] {
    let found = this.#plain.get(schema);
    if (found === undefined) {
      const { draft } = this.index.resourceOf(schema).document;
      found = Object.entries(schema).flatMap(([keyword, asked]) => {
        const make = keyword !== "format" || this.#assertsFormats ? checks.get(keyword) : undefined;
        return make === undefined ? [] : [{ keyword, asked, check: make(asked, draft) }];
      });
      this.#plain.set(schema, found);
    }
    return found;
  }

  /**
   * Whether `value` is valid.
   * @throws UndecidedError when it takes too many steps
   */
  isValid(value: Json): boolean {
    const { root } = this.index;
    return this.compile(root.root)(value, new SchemaRun(root, value));
  }

  #prepare(schema: JsonObject): Check {
    const check = shapeCheck(schema, this.compile) ?? allOf(this.#checksOf(schema));
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
    const plain = this.plainChecksOf(schema).map(({ check }) => check);
    const nested: (Check | null)[] = [...refs, ...this.#metaCheck(schema)];
    for (const [name, keyword] of Object.entries(schema)) {
      nested.push(applicators.get(name)?.(keyword, compile, schema) ?? null);
    }
    nested.push(propertiesCheck(schema, compile), elementsCheck(schema, compile));
    nested.push(unevaluatedCheck(schema, this));
    return [...plain, ...nested.filter((check) => check !== null)];
  }

  #refCheck(target: FindTarget): Check {
    if (this.index.dynamic) {
      return (value, run) => {
        const found = target(run);
        return found === null || run.within(found.resource, this.compile(found.schema), value);
      };
    }
    let check: Check | null = null;
    return (value, run) => {
      check ??= this.compile(target(run)?.schema ?? true);
      return run.once(check, value);
    };
  }

  /** A `$ref` to the meta-schema of a draft requires a schema without errors. */
  #metaCheck(schema: JsonObject): Check[] {
    const ref = schema["$ref"];
    const draft = ref === undefined ? null : draftOf(ref);
    if (draft === null || this.index.resolve(ref as string, schema) !== null) return [];
    return [
      (value, run) => {
        run.spend(100);
        if (typeof value !== "boolean" && !isJsonObject(value)) return false;
        return new TolerantSchema(value, draft).warnings.length === 0;
      },
    ];
  }
}

const acceptsAll: Check = () => true;
const acceptsNothing: Check = () => false;

/**
 * Visits with a single check. The check of a type is shared by all schemas that use it, and so is its visit: less
 * memory, and often in the processor's cache.
 */
const visits = new WeakMap<Check, Check>();

function visitOf(check: Check): Check {
  let visit = visits.get(check);
  if (visit === undefined) {
    visit = (value, run) => {
      run.spend(1);
      return check(value, run);
    };
    visits.set(check, visit);
  }
  return visit;
}

/** A visit of a schema with these checks. */
function allOf(checks: readonly Check[]): Check {
  if (checks.length === 1) return visitOf(checks[0]!);
  return (value, run) => {
    run.spend(1);
    for (const check of checks) if (!check(value, run)) return false;
    return true;
  };
}
