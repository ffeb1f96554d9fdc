import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";

/** A request to a program as one JSON line, without its id. */
export type AskedLine = JsonObject;

/** A local target that answers lines. */
export interface Answerer {
  /**
   * The answer in the format of a program's line. `workedMs`: time since the target got the line; null if it was not
   * queued. Rejects with a `TargetFailure`, or with the reason of an aborted `signal`.
   */
  ask(
    line: AskedLine,
    signal: AbortSignal,
  ): Promise<{ answer: JsonObject; workedMs: number | null }>;
}

/** Fields of a request that have a separate place in a line, or only concern transport. */
const placed = new Set([
  "sample",
  "model",
  "messages",
  "tools",
  "response_format",
  "stream",
  "stream_options",
]);

/** Converts a Chat Completions request to a line. Missing fields are left out. */
export function askedLine(body: JsonObject): AskedLine {
  const about = asObject(body["sample"]);
  const parameters = Object.entries(body).filter(([name]) => !placed.has(name));
  const schema = schemaIn(body);
  return {
    ...(about["id"] !== undefined && { sample: about["id"], repeat: about["repeat"] ?? 0 }),
    ...(body["model"] !== undefined && { model: body["model"] }),
    messages: body["messages"] ?? [],
    ...(body["tools"] !== undefined && { tools: body["tools"] }),
    ...(schema !== undefined && { schema }),
    ...(about["input"] !== undefined && { input: about["input"] }),
    parameters: Object.fromEntries(parameters),
  };
}

function schemaIn({ response_format: format }: JsonObject): Json | undefined {
  const schema = isJsonObject(format) ? format["json_schema"] : undefined;
  return isJsonObject(schema) ? schema["schema"] : undefined;
}

/**
 * The text of the last message with a role, without recordings; empty if there is none.
 * @example messageOf([{ role: "user", content: "Hi" }], "user") // "Hi"
 */
export function messageOf(messages: Json | undefined, role: string): string {
  const all = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  const content = all.findLast((one) => one["role"] === role)?.["content"];
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content
    .map((part) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}
