import { asObject, isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { err, ok, type Result } from "../../../contracts/result.ts";
import { type Expression, keyIn, readExpression } from "./expression.ts";
import { Budget, ExpressionError, isTrue, type Scope } from "./functions.ts";

/** Limits of a world: effects of a tool, and characters of its state as JSON. */
const mostEffects = 30;
export const mostState = 100_000;

/** Runs one effect on a state; a value other than undefined is the call's result and ends the call. */
type Effect = (scope: Scope) => Json | undefined;

/** The effects of a tool, in order. */
export interface ToolEffects {
  effects: Effect[];
  /** Whether a call can change the state. */
  changes: boolean;
}

const changing = ["set", "add", "remove"] as const;

/** Kinds of effects by the field that names them, with the second field that each needs. */
const kinds = { error: null, result: null, set: "to", add: "value", remove: null } as const;

/**
 * Reads the effects of a tool: a list of objects, each with one of `error` (a text with expressions in `{…}`),
 * `result`, `set` and `to`, `add` (to a list) and `value`, `remove` (a property), and optionally a condition `if`. The
 * error says which effect is wrong, and why.
 * Source: docs/spec/tools.md, worlds.
 * @example readEffects([{ result: "state.rooms" }]).ok // true
 */
export function readEffects(given: Json): Result<ToolEffects, string> {
  if (!Array.isArray(given) || given.length > mostEffects) {
    return err(`must be a list of at most ${mostEffects} effects`);
  }
  const effects: Effect[] = [];
  for (const [i, one] of given.entries()) {
    try {
      effects.push(readEffect(one));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return err(`effect ${i + 1}: ${error.message}`);
    }
  }
  const changes = given.some((one) => changing.some((kind) => kind in asObject(one)));
  return ok({ effects, changes });
}

function readEffect(given: Json): Effect {
  const fields = isJsonObject(given) ? given : {};
  const kind = Object.keys(kinds).find((name) => name in fields) as keyof typeof kinds | undefined;
  if (kind === undefined) throw new ExpressionError(`needs ${Object.keys(kinds).join(", ")}`);
  const other = kinds[kind];
  const allowed = [kind, other, "if"];
  const unknown = Object.keys(fields).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw new ExpressionError(`${kind} has no field ${unknown}`);
  const does = doing(kind, expressionText(fields, kind), other && read(fields, other));
  if (!("if" in fields)) return does;
  const { value: test } = read(fields, "if");
  return (scope) => (isTrue(test(scope)) ? does(scope) : undefined);
}

function doing(kind: keyof typeof kinds, text: string, other: Expression | null): Effect {
  if (kind === "error") {
    const fill = template(text);
    return (scope) => ({ error: fill(scope) });
  }
  const first = readNamed(kind, text);
  if (kind === "result") return (scope) => scope.budget.copy(first.value(scope));
  if (kind === "add") {
    return (scope) => {
      const list = first.value(scope);
      if (!Array.isArray(list)) throw new ExpressionError(`${text} is no list`);
      list.push(scope.budget.copy(other!.value(scope)));
      return undefined;
    };
  }
  const { place } = first;
  if (place === null || !/^\s*state\b/.test(text)) {
    throw new ExpressionError(`${kind} needs a place in the state, such as state.orders`);
  }
  return (scope) => {
    const value = other && scope.budget.copy(other.value(scope));
    change(place.of(scope), place.key(scope), value, kind === "remove", text);
    return undefined;
  };
}

function change(holder: Json, key: Json, value: Json, isRemoved: boolean, text: string): void {
  if (Array.isArray(holder)) {
    const at = typeof key === "number" && Number.isInteger(key) ? key : -1;
    if (at < 0 || at >= holder.length) throw new ExpressionError(`${text} does not exist`);
    if (isRemoved) holder.splice(at, 1);
    else holder[at] = value;
    return;
  }
  if (!isJsonObject(holder)) throw new ExpressionError(`what holds ${text} does not exist`);
  if (isRemoved) delete holder[keyIn(key)];
  else holder[keyIn(key)] = value;
}

function expressionText(fields: JsonObject, name: string): string {
  const text = fields[name];
  if (typeof text !== "string") throw new ExpressionError(`${name} must be a text`);
  return text;
}

const read = (fields: JsonObject, name: string): Expression =>
  readNamed(name, expressionText(fields, name));

function readNamed(name: string, text: string): Expression {
  try {
    return readExpression(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`${name}: ${text.slice(0, 80)}: ${error.message}`);
  }
}

/** A text with expressions in braces. */
function template(text: string): (scope: Scope) => string {
  const parts = text.split(/\{([^{}]*)\}/).map((part, i) => {
    const expression = i % 2 === 1 ? readNamed("error", part) : null;
    return (scope: Scope) =>
      expression === null ? part : scope.budget.text(expression.value(scope));
  });
  return (scope) => parts.map((part) => part(scope)).join("");
}

/**
 * The result of a tool call; null without a result. Changes `state`. An effect that fails, computes too much or makes
 * the state larger than 100,000 characters gives an error as the result, and does not change the state.
 * @example runEffects(effects, { rooms: [] }, { id: 1 }) // []
 */
export function runEffects({ effects, changes }: ToolEffects, state: JsonObject, args: JsonObject) {
  const before = changes ? JSON.stringify(state) : "";
  const scope: Scope = { names: { state, args }, budget: new Budget() };
  try {
    let result: Json = null;
    for (const effect of effects) {
      const given = effect(scope);
      if (given === undefined) continue;
      result = given;
      break;
    }
    if (changes && JSON.stringify(state).length > mostState) {
      throw new ExpressionError("the state is too large");
    }
    return result;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (changes) restore(state, JSON.parse(before) as JsonObject);
    return { error: `the simulated tool failed: ${error.message}` };
  }
}

function restore(state: JsonObject, before: JsonObject): void {
  for (const key of Object.keys(state)) delete state[key];
  Object.assign(state, before);
}
