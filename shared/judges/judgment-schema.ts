import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../contracts/json.ts";
import type { AskedJudge } from "../contracts/judging/judge.ts";

/**
 * Keywords that structured output of some provider rejects (Anthropic, Gemini, OpenAI). Descriptions state the limits
 * instead, and the judgment is validated when it is read.
 */
const refused = new Set(["$schema", "default", "minimum", "maximum", "maxItems"]);

/**
 * The JSON Schema of a judgment in a form that every provider's structured output accepts: every property required,
 * no additional ones, the reasoning first, none of the unsupported keywords.
 * Source: OpenAI, structured outputs, supported schemas.
 * @example judgmentSchema(empathy)["additionalProperties"] // false
 */
export function judgmentSchema({ judgment }: Pick<AskedJudge, "judgment">): JsonObject {
  const known = schemas.get(judgment);
  if (known !== undefined) return known;
  const schema = cleaned(z.toJSONSchema(judgment) as JsonObject) as JsonObject;
  schemas.set(judgment, schema);
  return schema;
}

/** Sent with every request, so computed once. */
const schemas = new WeakMap<AskedJudge["judgment"], JsonObject>();

function cleaned(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(cleaned);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([name]) => !refused.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, cleaned(value)]));
}
