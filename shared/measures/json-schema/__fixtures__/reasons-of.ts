import type { Json } from "../../../contracts/json.ts";
import type { PreparedSchema } from "../read-schema.ts";

/** Why `value` is invalid; throws if it can't be validated. */
export function reasonsOf(schema: PreparedSchema, value: Json): string[] {
  const validated = schema.validate(value);
  if (!validated.ok) throw new Error(validated.error);
  return validated.value;
}
