import type { Json } from "../../../contracts/json.ts";
import type { SchemaResource } from "../index/schema-resource.ts";

/** Whether a value is valid; spends steps of `run`. */
export type Check = (value: Json, run: SchemaRun) => boolean;

/** Receives a number of steps before they are taken; throws to refuse them. */
export interface Steps {
  /** `on` is named if the steps are too many: a pattern as written. */
  spend(steps: number, on?: string): void;
}

/** Validity can't be decided, within the allowed steps or at all. */
export class UndecidedError extends Error {
  override name = "UndecidedError";
}

/**
 * Why validation ended without a verdict: too many steps, or references too deep for the stack; null for any other
 * error, which is a bug.
 * @example whyUndecided(new RangeError()) // "its references are nested too deeply"
 */
export function whyUndecided(error: unknown): string | null {
  if (error instanceof UndecidedError) return error.message;
  return error instanceof RangeError ? "its references are nested too deeply" : null;
}

/**
 * Steps allowed for any value. A visit of a subschema is one step; longer work is one step for each part. The maximum
 * for an expected output in 809 real samples is 284; this limit takes about a second.
 */
const baseSteps = 2_000_000;

/**
 * Additional steps for each character of a value's JSON, so that long answers can be validated: an ordinary schema
 * takes one step for ten characters, one with twenty alternatives for each element about three for each character.
 */
const stepsPerCharacter = 10;

/** Steps before verdicts are cached: ordinary schemas stay below, and caching has a cost. */
const stepsUnremembered = 1_000;

function quoted(pattern: string): string {
  return JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern);
}

/** Validation of one value by one schema: its cost and its current position. */
export class SchemaRun implements Steps {
  /** The schema resources that validation has entered. */
  scope: SchemaScope;
  readonly #value: Json;
  #spent = 0;
  #allowed = baseSteps;

  constructor(root: SchemaResource, value: Json) {
    this.scope = new SchemaScope([root]);
    this.#value = value;
  }

  /**
   * Counts `steps` of work.
   * @throws UndecidedError once they are used up
   */
  spend(steps: number, on?: string): void {
    this.#spent += steps;
    if (this.#spent > this.#allowed) this.#spendMore(on);
  }

  /** The length of the value is only computed if it exceeds the steps allowed for any value. */
  #spendMore(on: string | undefined): void {
    this.#allowed = baseSteps + stepsPerCharacter * JSON.stringify(this.#value).length;
    if (this.#spent > this.#allowed) {
      const last = on === undefined ? "" : `, the last on the pattern ${quoted(on)}`;
      throw new UndecidedError(
        `it takes more than ${this.#allowed.toLocaleString("en")} steps${last}`,
      );
    }
  }

  /**
   * `check(value)`, at most once: without this, a schema that reaches the same subschema in 2^30 ways would check it
   * 2^30 times. Equal scalars are one value, so there are at most subschemas × values verdicts.
   */
  once(check: Check, value: Json): boolean {
    if (this.#spent < stepsUnremembered) return check(value, this);
    const verdicts = this.scope.verdictsOf(check);
    let verdict = verdicts.get(value);
    if (verdict === undefined) {
      verdict = check(value, this);
      verdicts.set(value, verdict);
    }
    return verdict;
  }

  /** `check(value)` with `resource` entered. */
  within(resource: SchemaResource, check: Check, value: Json): boolean {
    const outer = this.scope;
    this.scope = outer.enter(resource);
    const verdict = this.once(check, value);
    this.scope = outer;
    return verdict;
  }
}

/**
 * The dynamic scope: each resource that validation has entered, outermost first and only once, because a dynamic
 * reference uses the outermost. Verdicts depend on it, so they are cached by scope.
 * Source: JSON Schema 2020-12 core, section 7.1.
 */
export class SchemaScope {
  readonly resources: readonly SchemaResource[];
  readonly #inner = new Map<SchemaResource, SchemaScope>();
  readonly #verdicts = new Map<Check, Map<Json, boolean>>();

  constructor(resources: readonly SchemaResource[]) {
    this.resources = resources;
  }

  enter(resource: SchemaResource): SchemaScope {
    if (this.resources.includes(resource)) return this;
    let scope = this.#inner.get(resource);
    if (scope === undefined) {
      scope = new SchemaScope([...this.resources, resource]);
      this.#inner.set(resource, scope);
    }
    return scope;
  }

  verdictsOf(check: Check): Map<Json, boolean> {
    let verdicts = this.#verdicts.get(check);
    if (verdicts === undefined) {
      verdicts = new Map();
      this.#verdicts.set(check, verdicts);
    }
    return verdicts;
  }
}
