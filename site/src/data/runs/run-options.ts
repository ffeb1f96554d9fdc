import { z } from "zod";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { runOptionsSchema } from "#shared/contracts/submission.ts";
import type { Schema } from "../docs/openapi.ts";
import { refName } from "../docs/operations.ts";

const { $defs = {}, ...made } = z.toJSONSchema(runOptionsSchema, { io: "input" });

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (($defs[refName(schema.$ref)] ?? schema) as Schema);

const { properties = {} } = resolved(made as Schema);

/** The options that every suite has, as JSON Schema without references. */
export const runOptions: Schema = {
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, resolved(schema)]),
  ),
};

/** Nested options as dotted names with JSON values, in order. */
export function flatOptions(
  options: Record<string, unknown>,
  prefix = "",
): { name: string; value: string }[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    return isJsonObject(value) && Object.keys(value).length > 0
      ? flatOptions(value as JsonObject, `${name}.`)
      : [{ name, value: JSON.stringify(value) ?? "" }];
  });
}
