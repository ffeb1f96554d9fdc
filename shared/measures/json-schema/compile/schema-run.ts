import type { Json } from "../../../contracts/json.ts";
import type { SchemaResource } from "../index/schema-resource.ts";

/** Whether a value is valid; spends steps of `run`. */
export type Check = (value: Json, run: SchemaRun) => boolean;

/** Gets the number of steps before they are done, and may refuse them by throwing. */
export interface Steps {
  /** `on` is named where these steps are too many: a pattern, as it was written. */
  spend(steps: number, on?: string): void;
}

/** Validity can't be decided: not within the steps allowed, or not at all. */
export class UndecidedError extends Error {
  override name = "UndecidedError";
}

/**
 * Why evaluation ended without a verdict: too many steps, or references too deep for the stack; null
 * for any other error, which is a bug.
 * @example whyUndecided(new RangeError()) // "its references are nested too deeply"
 */
export function whyUndecided(error: unknown): string | null {
  if (error instanceof UndecidedError) return error.message;
  return error instanceof RangeError ? "its references are nested too deeply" : null;
}

/**
 * Steps any value may take: a visit of a subschema is one, longer work as many as it has parts. The
 * most of any expected output in 809 real samples is 284; this many end within a second or so.
 */
const baseSteps = 2_000_000;

/**
 * Additional steps for each character of a value's JSON, so that a long answer fits a reasonable schema:
 * an ordinary schema takes one step for ten characters, one with twenty alternatives an element some three each.
 */
const stepsPerCharacter = 10;

/** Steps before verdicts are remembered: no ordinary schema gets there, and remembering costs. */
const stepsUnremembered = 1_000;

function quoted(pattern: string): string {
  return JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern);
}

/** Validation of one value by one schema: its cost and its current place. */
export class SchemaRun implements Steps {
  /** The schema resources that evaluation has come through. */
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

  /** The length of the value is only worked out where the steps of any value don't do. */
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
   * `check(value)`, once: a schema that leads to the same subschema in 2^30 ways asks 30 times. Equal
   * scalars are one value; so the verdicts are at most subschemas × values.
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
 * The dynamic scope: each resource evaluation has come through, outermost first and once, since a
 * dynamic reference asks for the outermost alone. Verdicts depend on it and so are kept by it.
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
