import type { Answer, ToolCall } from "../../contracts/answer.ts";
import { boundedJson, bounds, cutText, holdsMoreValues } from "../../contracts/bounds.ts";
import { isJsonObject, type Json, type JsonObject, parsedJson } from "../../contracts/json.ts";
import { isTooDeep } from "../../measures/json-output/nesting.ts";
import type { PredictedCall } from "./score/match-calls.ts";

/** Maximum number of calls read from an answer, because a model in a loop may make any number. */
const mostCalls = 256;

/** How the calls of an answer were read. */
export interface ReadCalls {
  calls: PredictedCall[];
  /** Number of calls after the limit; they count as predicted. */
  leftOut: number;
  /** `native`: as tool calls; `content`: from the text; `unreadable`: the text has no readable calls. */
  from: "native" | "content" | "unreadable" | "none";
}

/**
 * The calls of an answer: its `tool_calls`, or in prompt mode the JSON array of `{name, arguments}` in its content.
 * Arguments that are text are parsed; arguments that are not an object match nothing; prose is not a call. The length
 * of names and the number of calls are bounded. Never throws.
 * Source: docs/spec/tools.md, data.
 * @example readCalls({ ...emptyAnswer, toolCalls: [{ name: "ping", arguments: "{}" }] }, "native")
 */
export function readCalls(
  { toolCalls, output }: Pick<Answer, "toolCalls" | "output">,
  mode: "native" | "prompt",
): ReadCalls {
  if (toolCalls !== null && toolCalls.length > 0) return kept(toolCalls.map(predicted), "native");
  if (mode === "native" || output === null || output.trim() === "") return kept([], "none");
  const listed = callsIn(output);
  if (listed !== null) return kept(listed.map(predicted), "content");
  return kept(looksLikeCall.test(output) ? [{ name: "", arguments: null }] : [], "unreadable");
}

/** A text with an attempted but unreadable call counts as one call without a match. */
const looksLikeCall = /"name"\s*:/;

function kept(calls: PredictedCall[], from: ReadCalls["from"]): ReadCalls {
  const shown = calls.slice(0, mostCalls);
  return { calls: shown, leftOut: calls.length - shown.length, from };
}

function predicted(call: Partial<ToolCall>): PredictedCall {
  const given = call.arguments ?? {};
  const parsed = typeof given === "string" ? parsedOr(given, null) : (given as Json);
  return {
    name: typeof call.name === "string" ? cutText(call.name, bounds.name) : "",
    arguments: isJsonObject(parsed) ? withinBounds(parsed) : null,
  };
}

/** Arguments within bounds; arguments that are nested too deeply can't be processed and stay unchanged. */
const withinBounds = (given: JsonObject): JsonObject =>
  isTooDeep(given) ? given : (boundedJson(given) as JsonObject);

/** The array of calls in a text, also in a code fence or within prose; a single call becomes an array. */
function callsIn(text: string): Partial<ToolCall>[] | null {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  const parsed = parsedOr(text, start < 0 ? null : parsedOr(text.slice(start, end + 1), null));
  const list = isJsonObject(parsed) ? [parsed] : parsed;
  if (!Array.isArray(list)) return null;
  return list.map((one) => (isJsonObject(one) ? (one as Partial<ToolCall>) : {}));
}

function parsedOr(text: string, otherwise: Json): Json {
  if (holdsMoreValues(text, bounds.answerValues)) return otherwise;
  const value = parsedJson(text) as Json | undefined;
  return value === undefined ? otherwise : value;
}
