import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { ok, type Result } from "../../../contracts/result.ts";
import { type ExpectedCall, toolFunction, toolName } from "../sample.ts";
import { type BfclSkip, type BfclWarning, skipped } from "./bfcl-outcome.ts";
import { propertyOf } from "./bfcl-schema.ts";
import { expectedOf } from "./bfcl-values.ts";

/** The expected calls of a case. */
export interface BfclCalls {
  calls: ExpectedCall[];
  warnings: BfclWarning[];
}

/**
 * The calls of a ground truth, a list of `{name: {argument: [accepted values]}}`. `names` are those that
 * the tools have instead of BFCL's.
 * Source: BFCL v4, `possible_answer`.
 * @example callsOf([{ ping: { n: [1, ""] } }], [], new Map()).value.calls[0].arguments // { n: { any_of: [1, ""] } }
 */
export function callsOf(
  truth: Json,
  tools: readonly JsonObject[],
  names: ReadonlyMap<string, string>,
): Result<BfclCalls, BfclSkip> {
  const list = isJsonObject(truth) ? [truth] : truth;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isJsonObject)) {
    return skipped("malformed", "ground_truth is no list of {name: {argument: [accepted values]}}");
  }
  const calls: ExpectedCall[] = [];
  const warnings = new Set<BfclWarning>();
  for (const [original, accepted] of list.flatMap((call) => Object.entries(call))) {
    const name = names.get(original) ?? original;
    const tool = tools.find((one) => toolName(one) === name);
    const read = argumentsOf(accepted, tool === undefined ? {} : schemaOf(tool));
    if (!read.ok) return read;
    if (isJsonObject(accepted) && Object.values(accepted).some(isEmpty)) warnings.add("emptyList");
    calls.push({ name, arguments: read.value });
  }
  return ok({ calls, warnings: [...warnings] });
}

function argumentsOf(accepted: Json, schema: JsonObject): Result<JsonObject, BfclSkip> {
  if (!isJsonObject(accepted)) return skipped("malformed", "the arguments are no object");
  const expected: [string, Json][] = [];
  for (const [key, values] of Object.entries(accepted)) {
    if (!Array.isArray(values)) {
      return skipped("malformed", `accepted values of ${key} are no list`);
    }
    const value = expectedOf(values, propertyOf(schema, key));
    if (value === null) return skipped("noAcceptedValue", key);
    expected.push([key, value]);
  }
  return ok(Object.fromEntries(expected));
}

const isEmpty = (values: Json) => Array.isArray(values) && values.length === 0;

function schemaOf(tool: JsonObject): JsonObject {
  const { parameters } = toolFunction(tool);
  return isJsonObject(parameters) ? parameters : {};
}
