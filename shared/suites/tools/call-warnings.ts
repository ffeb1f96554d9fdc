import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { type PreparedSchema, readSchema } from "../../measures/json-schema/read-schema.ts";
import type { ExpectedCall } from "./sample.ts";
import { alternatives } from "./score/match-calls.ts";

/** Values held against schemas in one sample: more than any real one has, and of bounded cost. */
const mostJudged = 200;

/** The first ones show what is wrong with a sample. */
const mostWarnings = 10;

/** Keywords of `parameters` that say what an argument is, or that a `$ref` in there may lead to. */
const kept = ["$schema", "$id", "$defs", "definitions", "properties"] as const;

/**
 * What of the expected calls no answer can meet, or looks mistyped: an `any_of` that is empty or no list,
 * an argument that the function does not take, a value that its schema refuses. Values that hold an
 * `any_of` deeper down are not held against the schema. `functions` are those that the sample offers.
 * Linear in the calls, but for what judging takes, which has a limit.
 * Source: docs/spec/tools.md, data.
 * @example callWarnings([{ name: "ping", arguments: { n: { any_of: [] } } }], [{ name: "ping" }])
 * // ["expected call 1, ping, argument n: any_of lists no value, so that no answer can meet it"]
 */
export function callWarnings(
  calls: readonly ExpectedCall[],
  functions: readonly JsonObject[],
): string[] {
  const judges = new Map(functions.map((one) => [one["name"], new ArgumentJudge(one)]));
  const warnings: string[] = [];
  let judged = 0;
  for (const [i, { name, arguments: expected }] of calls.entries()) {
    for (const [argument, value] of Object.entries(expected)) {
      if (warnings.length === mostWarnings) return warnings;
      const plain = plainValues(value).slice(0, mostJudged - judged);
      judged += plain.length;
      const flaw = flawOfAnyOf(value) ?? judges.get(name)?.flawOf(argument, plain) ?? null;
      if (flaw !== null)
        warnings.push(`expected call ${i + 1}, ${name}, argument ${argument}: ${flaw}`);
    }
  }
  return warnings;
}

/** Holds arguments of one function against what it says of them; its schema is read when it is needed. */
class ArgumentJudge {
  readonly #parameters: JsonObject;
  #schema: PreparedSchema | null = null;

  constructor({ parameters }: JsonObject) {
    this.#parameters = isJsonObject(parameters) ? parameters : {};
  }

  flawOf(argument: string, values: readonly Json[]): string | null {
    const { properties, patternProperties, additionalProperties } = this.#parameters;
    const isDeclared = isJsonObject(properties) && Object.hasOwn(properties, argument);
    if (!isDeclared) {
      const isRefused = additionalProperties === false && patternProperties === undefined;
      return isRefused ? "the function has no such argument, and takes no others" : null;
    }
    this.#schema ??= readSchema(partOf(this.#parameters), false);
    for (const value of values) {
      const judged = this.#schema.judge({ [argument]: value });
      if (!judged.ok) return null;
      if (judged.value.length > 0)
        return `its schema refuses an expected value: ${judged.value[0]}`;
    }
    return null;
  }
}

/** Without what is said of the arguments together, such as which are required. */
function partOf(parameters: JsonObject): JsonObject {
  const entries = kept.flatMap((keyword) => {
    const value = parameters[keyword];
    return value === undefined ? [] : [[keyword, value] as const];
  });
  return Object.fromEntries(entries);
}

/** What is wrong with the first flawed `any_of` in a value, at any depth. */
function flawOfAnyOf(value: Json): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (isAnyOf(value)) {
    const any = alternatives(value);
    if (any === null) return "any_of is no list, so that only an object with any_of meets it";
    if (any.length === 0) return "any_of lists no value, so that no answer can meet it";
  }
  for (const part of Object.values(value)) {
    const flaw = flawOfAnyOf(part);
    if (flaw !== null) return flaw;
  }
  return null;
}

/** The values that are accepted as they are; an empty one says that the argument may be left out. */
function plainValues(value: Json): Json[] {
  const any = alternatives(value);
  if (any === null) return holdsAnyOf(value) ? [] : [value];
  return any.flatMap((one) => (one === "" || one === null ? [] : plainValues(one)));
}

function holdsAnyOf(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isAnyOf(value) || Object.values(value).some(holdsAnyOf);
}

const isAnyOf = (value: Json) =>
  isJsonObject(value) && "any_of" in value && Object.keys(value).length === 1;
