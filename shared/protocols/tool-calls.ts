import type { ToolCall } from "../contracts/answer.ts";
import { bounds, holdsMoreValues } from "../contracts/bounds.ts";
import { isJsonObject } from "../contracts/json.ts";

/** Names of calls that contain other calls; some OpenAI models write them. */
const WRAPPERS = new Set(["parallel", "multi_tool_use.parallel"]);

/**
 * The calls of an answer; null if there are none. Parses arguments that are text, and keeps the text if it is not JSON.
 * Replaces a call that contains several, `{tool_uses: [{recipient_name, parameters}]}`, by these.
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

/** Calls of a function without parameters have no arguments or an empty text. */
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
