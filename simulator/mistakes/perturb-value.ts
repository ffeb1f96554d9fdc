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
import { type Slips, slip } from "./garble.ts";
import { perturbScalar } from "./perturb-scalar.ts";
import type { MistakeKind } from "./rates.ts";

/** Fields that no text asks for, as models like to add them. */
const inventedNames = ["confidence", "additional_info", "source", "summary"] as const;

/**
 * `value` as a model of the given error rates would give it; what it got wrong is added to
 * `slips.made`. `value` itself is left as it is. Linear in the size of `value`.
 */
export function perturbValue(value: Json, schema: Json | undefined, slips: Slips): Json {
  const branches = schemaBranches(slips.root, schema);
  if (isJsonObject(value)) return perturbObject(value, branches, slips);
  const merged = branches.length === 1 ? branches[0] : Object.assign({}, ...branches.toReversed());
  return Array.isArray(value)
    ? perturbArray(value, merged, slips)
    : perturbScalar(value, merged, slips);
}

function perturbObject(value: JsonObject, branches: JsonObject[], slips: Slips): JsonObject {
  const result: JsonObject = {};
  for (const [name, child] of Object.entries(value)) {
    const omission = isRequired(branches, name) ? "omit_required" : "omit_optional";
    if (!isStructural(child) && slip(slips, omission)) continue;
    result[name] = perturbValue(child, propertySchema(slips.root, branches, name), slips);
  }
  for (const name of propertyNames(branches)) {
    if (Object.hasOwn(value, name)) continue;
    const schema = propertySchema(slips.root, branches, name);
    const invented = invent(slips, "hallucinated_value", schema);
    if (invented !== undefined) result[name] = invented;
  }
  if (slip(slips, "extra_field")) result[slips.draws.pick(inventedNames)] = snippet(slips);
  return result;
}

function perturbArray(value: Json[], schema: JsonObject, slips: Slips): Json[] {
  const result = value.map((element, index) =>
    perturbValue(element, itemSchema(slips.root, schema, index), slips),
  );
  if (slips.constrained && isSizeBound(schema)) return result;
  if (result.length > 0 && slip(slips, "dropped_element")) {
    result.splice(slips.draws.index(result.length), 1);
  }
  const element = itemSchema(slips.root, schema, result.length);
  const invented = invent(slips, "invented_element", element);
  if (invented !== undefined) result.push(invented);
  if (result.length > 1 && slip(slips, "reordered")) result.push(...result.splice(0, 1));
  return result;
}

/** A value out of thin air, if that mistake is made here and decoding would allow the value. */
function invent(slips: Slips, kind: MistakeKind, schema: JsonObject): Json | undefined {
  if (!slips.draws.chance(slips.rates[kind])) return undefined;
  const value = generateValue(slips, schema);
  if (slips.constrained && !fitsSchema(slips.root, schema, value)) return undefined;
  slips.made.push(kind);
  return value;
}

function isSizeBound(schema: JsonObject): boolean {
  return ["minItems", "maxItems", "uniqueItems", "prefixItems"].some(
    (k) => schema[k] !== undefined,
  );
}

/**
 * Whether a value fits a part of the schema `root`, formats included. False for schemas that can't be
 * compiled. Dereferences the schema at every call: for rare use.
 */
function fitsSchema(root: Json, schema: JsonObject, value: Json): boolean {
  const { $defs = {}, definitions = {} } = resolveSchema(root, root);
  try {
    return new Validator({ $defs, definitions, ...schema } as Schema).validate(value).valid;
  } catch {
    return false;
  }
}
