import { type Schema, Validator } from "@cfworker/json-schema";
import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import { generateValue, isStructural, snippet } from "../schemas/generate-value.ts";
import {
  isRequired,
  itemSchema,
  propertyNames,
  propertySchema,
  resolveSchema,
  schemaBranches,
} from "../schemas/navigate.ts";
import { type MistakeKind, type Mistakes, makesMistake } from "./mistakes.ts";
import { perturbScalar } from "./perturb-scalar.ts";

/** Unrequested fields that models often add. */
const inventedNames = ["confidence", "additional_info", "source", "summary"] as const;

/**
 * `value` as a model of the given error rates would return it; its mistakes are added to `mistakes.made`. Does not
 * change `value`. Linear in its size.
 */
export function perturbValue(value: Json, schema: Json | undefined, mistakes: Mistakes): Json {
  const branches = schemaBranches(mistakes.root, schema);
  if (isJsonObject(value)) return perturbObject(value, branches, mistakes);
  const merged = branches.length === 1 ? branches[0] : Object.assign({}, ...branches.toReversed());
  return Array.isArray(value)
    ? perturbArray(value, merged, mistakes)
    : perturbScalar(value, merged, mistakes);
}

function perturbObject(value: JsonObject, branches: JsonObject[], mistakes: Mistakes): JsonObject {
  const result: JsonObject = {};
  for (const [name, child] of Object.entries(value)) {
    const omission = isRequired(branches, name) ? "omit_required" : "omit_optional";
    if (!isStructural(child) && makesMistake(mistakes, omission)) continue;
    result[name] = perturbValue(child, propertySchema(mistakes.root, branches, name), mistakes);
  }
  for (const name of propertyNames(branches)) {
    if (Object.hasOwn(value, name)) continue;
    const schema = propertySchema(mistakes.root, branches, name);
    const invented = invent(mistakes, "hallucinated_value", schema);
    if (invented !== undefined) result[name] = invented;
  }
  if (makesMistake(mistakes, "extra_field"))
    result[mistakes.draws.pick(inventedNames)] = snippet(mistakes);
  return result;
}

function perturbArray(value: Json[], schema: JsonObject, mistakes: Mistakes): Json[] {
  const result = value.map((element, index) =>
    perturbValue(element, itemSchema(mistakes.root, schema, index), mistakes),
  );
  if (mistakes.constrained && isSizeBound(schema)) return result;
  if (result.length > 0 && makesMistake(mistakes, "dropped_element")) {
    result.splice(mistakes.draws.index(result.length), 1);
  }
  const element = itemSchema(mistakes.root, schema, result.length);
  const invented = invent(mistakes, "invented_element", element);
  if (invented !== undefined) result.push(invented);
  if (result.length > 1 && makesMistake(mistakes, "reordered")) result.push(...result.splice(0, 1));
  return result;
}

/** An invented value, if that mistake is drawn here and decoding allows the value. */
function invent(mistakes: Mistakes, kind: MistakeKind, schema: JsonObject): Json | undefined {
  if (!mistakes.draws.chance(mistakes.rates[kind])) return undefined;
  const value = generateValue(mistakes, schema);
  if (mistakes.constrained && !fitsSchema(mistakes.root, schema, value)) return undefined;
  mistakes.made.push(kind);
  return value;
}

function isSizeBound(schema: JsonObject): boolean {
  return ["minItems", "maxItems", "uniqueItems", "prefixItems"].some(
    (k) => schema[k] !== undefined,
  );
}

/**
 * Whether a value fits a part of the schema `root`, including formats. False if the schema can't be compiled.
 * Dereferences the schema on every call: for rare use.
 */
function fitsSchema(root: Json, schema: JsonObject, value: Json): boolean {
  const { $defs = {}, definitions = {} } = resolveSchema(root, root);
  try {
    return new Validator({ $defs, definitions, ...schema } as Schema).validate(value).valid;
  } catch {
    return false;
  }
}
