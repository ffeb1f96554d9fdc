import { isJsonObject, type Json } from "../../../contracts/json.ts";
import { deepEquals } from "../../../measures/matching/deep-equals.ts";

/** Why an expression can't be read or has no value. */
export class ExpressionError extends Error {}

/** Maximum characters of a computed text or entries of a computed list, and parts that one tool call may compute. */
const mostLength = 100_000;
const mostParts = 200_000;

/** The remaining computation, by default of one tool call. Values share parts, so short expressions can be large. */
export class Budget {
  #left: number;

  constructor(parts = mostParts) {
    this.#left = parts;
  }

  /** Throws `ExpressionError` once nothing is left. */
  spend(parts: number): void {
    this.#left -= parts;
    if (this.#left < 0) throw new ExpressionError("it computes too much");
  }

  /** A deep copy of a value. Linear. */
  copy(value: Json): Json {
    this.spend(typeof value === "string" ? 1 + value.length / 8 : 1);
    if (Array.isArray(value)) return value.map((one) => this.copy(one));
    if (!isJsonObject(value)) return value;
    const copied = Object.entries(value).map(([key, one]): [string, Json] => {
      this.spend(key.length / 8);
      return [key, this.copy(one)];
    });
    return Object.fromEntries(copied);
  }

  /** A text unchanged, any other value as JSON. Linear. */
  text(value: Json): string {
    return typeof value === "string" ? value : JSON.stringify(this.copy(value));
  }

  /** Whether two values are equal JSON. Linear. */
  equal(a: Json, b: Json): boolean {
    if (typeof a !== "object" || typeof b !== "object") return a === b;
    return a === b || deepEquals(this.copy(a), this.copy(b));
  }

  /** A computed value that is not too long. */
  bounded(value: Json): Json {
    const length = typeof value === "string" || Array.isArray(value) ? value.length : 0;
    if (length > mostLength) throw new ExpressionError("a value is too long");
    this.spend(1 + length / 8);
    return value;
  }
}

/** Values by name, and the remaining budget. */
export interface Scope {
  names: Readonly<Record<string, Json>>;
  budget: Budget;
}

/** An expression, ready to be evaluated. */
export type Node = (scope: Scope) => Json;

/** A function of one value, such as the condition of `filter`. */
export type Lambda = (value: Json) => Json;

type Given = readonly (Json | Lambda)[];

/**
 * Whether a value counts as true, as in JavaScript.
 * @example isTrue([]) // true
 */
export const isTrue = (value: Json): boolean => Boolean(value);

/** The first characters of a value, for messages. */
export const shownValue = (value: Json): string =>
  typeof value === "object" && value !== null
    ? Array.isArray(value)
      ? "a list"
      : "an object"
    : String(value).slice(0, 60);

/**
 * The value of a method of a list or text, as in JavaScript: `filter`, `map`, `find`, `some`, `every`, `includes`,
 * `slice`, `concat`, `join`; `toLowerCase`, `toUpperCase`, `trim`, `startsWith`, `endsWith`, `split`. Throws
 * `ExpressionError` for others. Linear in the value.
 * @example calledMethod([1, 2], "map", [(one) => one], new Budget()) // [1, 2]
 */
export function calledMethod(of: Json, name: string, given: Given, budget: Budget): Json {
  const methods = Array.isArray(of) ? listMethods : typeof of === "string" ? textMethods : null;
  if (methods === null) throw new ExpressionError(`.${name}() needs a list or a text`);
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) {
    throw new ExpressionError(`no method ${name}; there is ${Object.keys(methods).join(", ")}`);
  }
  return method(of as never, given, budget);
}

const listMethods: Readonly<Record<string, (list: Json[], given: Given, budget: Budget) => Json>> =
  {
    filter: (list, [test]) => list.filter((one) => isTrue(lambda(test)(one))),
    map: (list, [of]) => list.map((one) => lambda(of)(one)),
    find: (list, [test]) => list.find((one) => isTrue(lambda(test)(one))) ?? null,
    some: (list, [test]) => list.some((one) => isTrue(lambda(test)(one))),
    every: (list, [test]) => list.every((one) => isTrue(lambda(test)(one))),
    includes: (list, [wanted], budget) => list.some((one) => budget.equal(one, value(wanted))),
    slice: (list, [from, to]) => list.slice(count(from), to === undefined ? undefined : count(to)),
    concat: (list, [more]) => list.concat(value(more)),
    join: (list, [by = ","], budget) => list.map((one) => budget.text(one)).join(text(by)),
  };

const textMethods: Readonly<Record<string, (of: string, given: Given) => Json>> = {
  toLowerCase: (of) => of.toLowerCase(),
  toUpperCase: (of) => of.toUpperCase(),
  trim: (of) => of.trim(),
  includes: (of, [part]) => of.includes(text(part)),
  startsWith: (of, [part]) => of.startsWith(text(part)),
  endsWith: (of, [part]) => of.endsWith(text(part)),
  split: (of, [by]) => of.split(text(by)),
  slice: (of, [from, to]) => of.slice(count(from), to === undefined ? undefined : count(to)),
};

/**
 * The value of a function: `keys`, `values`, `has` of objects; `number`, `text`, `round`, `min`, `max`, `sum`. Throws
 * `ExpressionError` for others.
 * @example calledFunction("round", [2.345, 2], new Budget()) // 2.35
 */
export function calledFunction(name: string, given: Given, budget: Budget): Json {
  const its = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (its === undefined) {
    throw new ExpressionError(`no function ${name}; there is ${Object.keys(functions).join(", ")}`);
  }
  return its(given, budget);
}

const functions: Readonly<Record<string, (given: Given, budget: Budget) => Json>> = {
  keys: ([of]) => Object.keys(object(of)),
  values: ([of]) => Object.values(object(of)),
  has: ([of, key], budget) => Object.hasOwn(object(of), budget.text(value(key))),
  number: ([of]) => count(typeof of === "string" ? Number(of) : of),
  text: ([of], budget) => budget.text(value(of)),
  round: ([of, digits = 0]) => {
    const by = 10 ** Math.min(12, Math.max(0, count(digits)));
    return Math.round((count(of) + Number.EPSILON) * by) / by;
  },
  min: (given) => Math.min(...numbers(given)),
  max: (given) => Math.max(...numbers(given)),
  sum: ([list]) => numbers(Array.isArray(list) ? list : []).reduce((a, b) => a + b, 0),
};

function lambda(given: Json | Lambda | undefined): Lambda {
  if (typeof given === "function") return given;
  throw new ExpressionError("this method needs a function, such as one => one.id == 1");
}

function value(given: Json | Lambda | undefined): Json {
  if (typeof given !== "function") return given ?? null;
  throw new ExpressionError("a function is no value");
}

function count(given: Json | Lambda | undefined): number {
  if (typeof given === "number" && Number.isFinite(given)) return given;
  throw new ExpressionError(`a number is needed, not ${shownValue(value(given))}`);
}

function text(given: Json | Lambda | undefined): string {
  if (typeof given === "string") return given;
  throw new ExpressionError(`a text is needed, not ${shownValue(value(given))}`);
}

function object(given: Json | Lambda | undefined) {
  if (typeof given !== "function" && isJsonObject(given)) return given;
  throw new ExpressionError(`an object is needed, not ${shownValue(value(given))}`);
}

function numbers(given: Given): number[] {
  if (given.length === 0) throw new ExpressionError("there are no numbers");
  return given.map(count);
}
