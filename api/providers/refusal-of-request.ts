/** What a 400 says that the endpoint does not take, as far as its words tell. */
export type RefusedPart =
  | { kind: "schema" }
  | { kind: "mode" }
  | { kind: "parameter"; name: "temperature" | "max_tokens" | "max_completion_tokens" | "logprobs" }
  | { kind: "other" };

const parameters = ["max_completion_tokens", "max_tokens", "temperature", "logprobs"] as const;
const modeWords = /response_format|json_schema|json_object|guided_json|structured_outputs|strict/i;
const schemaWords =
  /invalid (json )?schema|schema for response_format|additionalproperties|in context=|not permitted|unsupported (json )?schema/i;

/**
 * Reads the body of a 400 or 422. `param` is the field that OpenAI-shaped errors name; servers
 * that leave it out are read by their message.
 */
export function refusedPart(message: string, param: string | null): RefusedPart {
  const named = parameters.find((name) => param === name);
  if (named) return { kind: "parameter", name: named };
  if (schemaWords.test(message)) return { kind: "schema" };
  if (modeWords.test(param ?? "") || modeWords.test(message)) return { kind: "mode" };
  const mentioned = parameters.find((name) => message.includes(name));
  if (mentioned) return { kind: "parameter", name: mentioned };
  return { kind: "other" };
}
