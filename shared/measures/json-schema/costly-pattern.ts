import type { JsonObject } from "../../contracts/json.ts";
import { patternProblem } from "./compile-pattern.ts";
import { mapUnder } from "./schema-parts.ts";

/**
 * The first of a schema's own patterns that can't be matched in bounded time; undefined for none. The
 * schema is a tolerant copy.
 * Source: specification of the extraction suite, section 1: what can't be judged is malformed.
 * @example costlyPattern({ pattern: "^(a+)\\1+$" }) // "^(a+)\\1+$"
 */
export function costlyPattern(schema: JsonObject): string | undefined {
  const { pattern } = schema;
  const patterns = Object.keys(mapUnder(schema, "patternProperties"));
  if (typeof pattern === "string") patterns.unshift(pattern);
  return patterns.find((one) => patternProblem(one) === "costly");
}
