import { type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject } from "../../shared/contracts/json.ts";
import { resolveSchema } from "./navigate.ts";

/**
 * Whether a value fits a part of the schema `root`, formats included. False for schemas that can't be
 * compiled. Dereferences the schema at every call: for rare use.
 */
export function fitsSchema(root: Json, schema: JsonObject, value: Json): boolean {
  const { $defs = {}, definitions = {} } = resolveSchema(root, root);
  try {
    return new Validator({ $defs, definitions, ...schema } as Schema).validate(value).valid;
  } catch {
    return false;
  }
}
