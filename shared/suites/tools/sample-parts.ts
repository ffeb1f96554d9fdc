import { bounds } from "../../contracts/bounds.ts";
import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { isTooDeep, maxDepth } from "../../measures/json-output/nesting.ts";

/** A correct call; a value may be `{"any_of": […]}`, at any depth. */
export interface ExpectedCall {
  name: string;
  arguments: JsonObject;
}

/** Bound the cost of one sample. */
const mostTools = 128;
const mostCalls = 64;

const roles = ["system", "user", "assistant", "tool"] as const;

/**
 * The name of a tool definition, with or without OpenAI's wrapper; null without a name.
 * @example toolName({ type: "function", function: { name: "get_weather" } }) // "get_weather"
 */
export function toolName(tool: JsonObject): string | null {
  const { name } = toolFunction(tool);
  return typeof name === "string" && name !== "" ? name : null;
}

/**
 * The function of a tool definition.
 * @example toolFunction({ type: "function", function: { name: "get_weather" } }).name
 */
export function toolFunction(tool: JsonObject): JsonObject {
  return isJsonObject(tool["function"]) ? tool["function"] : tool;
}

/**
 * The first error in the tools of a sample; null if they are valid.
 * @example flawOfTools([]) // null
 */
export function flawOfTools(tools: Json | undefined): string | null {
  if (!Array.isArray(tools) || !tools.every(isJsonObject)) {
    return "tools must be a list of tool definitions in OpenAI's format";
  }
  if (tools.length > mostTools) return `tools are more than ${mostTools}`;
  const names = tools.map(toolName);
  if (names.includes(null)) return "every tool needs function.name";
  if (new Set(names).size < names.length) return "two tools have the same name";
  const long = names.findIndex((name) => name !== null && name.length > bounds.name);
  if (long >= 0) return `the name of tool ${long} is longer than ${bounds.name} characters`;
  return null;
}

/**
 * The first error in a list of expected calls, which messages call `what`; null if it is valid.
 * @example flawOfCalls([], "expected_calls") // null
 */
export function flawOfCalls(calls: Json | undefined, what: string): string | null {
  const isCall = (call: Json) =>
    isJsonObject(call) && typeof call["name"] === "string" && isJsonObject(call["arguments"]);
  if (!Array.isArray(calls) || !calls.every(isCall)) {
    return `${what} must be a list of {name, arguments}; [] where no call is right`;
  }
  if (calls.length > mostCalls) return `${what} are more than ${mostCalls}`;
  return isTooDeep(calls) ? `${what} are nested deeper than ${maxDepth}` : null;
}

/**
 * Whether a value is a message `{role, content}`.
 * @example isMessage({ role: "user", content: "Hi" }) // true
 */
export function isMessage(message: Json): boolean {
  return (
    isJsonObject(message) &&
    roles.some((role) => role === message["role"]) &&
    typeof message["content"] === "string"
  );
}

/**
 * The values of `{"any_of": […]}`; null for any other value.
 * @example alternatives({ any_of: [1, 2] }) // [1, 2]
 */
export function alternatives(expected: Json): Json[] | null {
  if (!isJsonObject(expected) || Object.keys(expected).length !== 1) return null;
  const any = expected["any_of"];
  return Array.isArray(any) ? any : null;
}
