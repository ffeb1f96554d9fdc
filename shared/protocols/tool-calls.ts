import type { ToolCall } from "../contracts/answer.ts";
import { bounds, holdsMoreValues } from "../contracts/bounds.ts";
import { isJsonObject } from "../contracts/json.ts";

/** Names of a call that holds others, as some models of OpenAI write it. */
const WRAPPERS = new Set(["parallel", "multi_tool_use.parallel"]);

/**
 * The calls of an answer, null for none; arguments that come as text are parsed, and stay text if they don't parse. A call that holds
 * several, `{tool_uses: [{recipient_name, parameters}]}`, is replaced by them.
 * @example toolCalls([{ name: "weather", arguments: '{"city":"Oslo"}' }])?.[0]?.arguments // { city: "Oslo" }
 */
export function toolCalls(
  given: readonly { name: string; arguments?: unknown }[],
): ToolCall[] | null {
  if (given.length === 0) return null;
  return given.flatMap((call) => {
    const read = { name: call.name, arguments: parsed(call.arguments) };
    return (WRAPPERS.has(call.name) && unwrapped(read.arguments)) || [read];
  });
}

/** A function without parameters is called without arguments, or with an empty text. */
function parsed(given: unknown = {}): unknown {
  if (typeof given === "string" && given.trim() === "") return {};
  if (typeof given !== "string" || holdsMoreValues(given, bounds.answerValues)) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function unwrapped(its: unknown): ToolCall[] | null {
  const uses = isJsonObject(its) ? its["tool_uses"] : null;
  if (!Array.isArray(uses) || uses.length === 0) return null;
  return uses.flatMap((one) => {
    const name = isJsonObject(one) ? one["recipient_name"] : null;
    if (typeof name !== "string") return [];
    return [
      { name: name.replace(/^functions\./, ""), arguments: isJsonObject(one) && one["parameters"] },
    ];
  });
}
