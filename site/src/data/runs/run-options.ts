import { z } from "zod";
import { runOptionsSchema } from "#shared/contracts/submissions/submission.ts";
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
