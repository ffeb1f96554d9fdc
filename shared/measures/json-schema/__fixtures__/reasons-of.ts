import type { Json } from "../../../contracts/json.ts";
import type { PreparedSchema } from "../read-schema.ts";

/** Why `value` is not valid; throws where it can't be judged. */
export function reasonsOf(schema: PreparedSchema, value: Json): string[] {
  const judged = schema.judge(value);
  if (!judged.ok) throw new Error(judged.error);
  return judged.value;
}
