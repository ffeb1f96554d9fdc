import { bounds } from "../../contracts/bounds.ts";
import type { ChatMessage } from "../../contracts/chat-request.ts";
import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { isTooDeep, maxDepth } from "../../measures/json-output/nesting.ts";
import { isTags } from "../../measures/tagged-sample.ts";
import { callWarnings } from "./call-warnings.ts";

/** Levels, easiest first. */
export const levels = ["easy", "medium", "hard"] as const;
export type Level = (typeof levels)[number];

/** A call that would be right; a value may be `{"any_of": […]}`, at any depth. */
export interface ExpectedCall {
  name: string;
  arguments: JsonObject;
}

/** A conversation, the tools at hand, and the calls that are right; none: no call is. */
export interface ToolsSample {
  id: string;
  difficulty: Level;
  messages: ChatMessage[];
  tools: JsonObject[];
  expected_calls: ExpectedCall[];
  tags: Record<string, string>;
}

/** More would make one sample cost what a run does. */
const mostTools = 128;
const mostCalls = 64;

const roles = ["system", "user", "assistant", "tool"] as const;

/**
 * Whether a dataset row can be used: an id, a level, messages, tools as OpenAI defines them, and the
 * expected calls. A call of a tool that the sample does not offer makes it malformed, since no model
 * could make it. A level that does not fit the number of tools or calls is a warning, as is an expected
 * call that no answer can meet or that looks mistyped. Never throws.
 * Source: docs/spec/tools.md, data.
 * @example checkSample({ id: "a" }) // { ok: false, error: "difficulty must be easy, medium or hard" }
 */
export function checkSample(row: unknown): Result<CheckedSample<ToolsSample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id, difficulty, messages, tools, expected_calls: calls, tags = {} } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  const level = levels.find((one) => one === difficulty);
  if (level === undefined) return err("difficulty must be easy, medium or hard");
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    return err("messages must be a list of {role, content}, with at least one");
  }
  const flaw = flawOfTools(tools) ?? flawOfCalls(calls);
  if (flaw !== null) return err(flaw);
  if (!isTags(tags)) return err("tags must be an object of strings");
  const sample: ToolsSample = {
    id,
    difficulty: level,
    messages: messages as unknown as ChatMessage[],
    tools: tools as JsonObject[],
    expected_calls: calls as unknown as ExpectedCall[],
    tags,
  };
  const offered = new Set(sample.tools.map(toolName));
  const unknown = sample.expected_calls.find(({ name }) => !offered.has(name));
  if (unknown) return err(`expected_calls names "${unknown.name}", which is no tool of the sample`);
  const ofCalls = callWarnings(sample.expected_calls, sample.tools.map(toolFunction));
  return ok({ sample, warnings: [...warningsOfLevel(sample), ...ofCalls] });
}

/**
 * The name of a tool definition, with or without OpenAI's wrapper; null where it has none.
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

function flawOfTools(tools: Json | undefined): string | null {
  if (!Array.isArray(tools) || !tools.every(isJsonObject)) {
    return "tools must be a list of tool definitions as OpenAI has them";
  }
  if (tools.length > mostTools) return `tools are more than ${mostTools}`;
  const names = tools.map(toolName);
  if (names.includes(null)) return "every tool needs function.name";
  if (new Set(names).size < names.length) return "two tools have the same name";
  const long = names.findIndex((name) => name !== null && name.length > bounds.name);
  if (long >= 0) return `the name of tool ${long} is longer than ${bounds.name} characters`;
  return null;
}

function flawOfCalls(calls: Json | undefined): string | null {
  const isCall = (call: Json) =>
    isJsonObject(call) && typeof call["name"] === "string" && isJsonObject(call["arguments"]);
  if (!Array.isArray(calls) || !calls.every(isCall)) {
    return "expected_calls must be a list of {name, arguments}; [] where no call is right";
  }
  if (calls.length > mostCalls) return `expected_calls are more than ${mostCalls}`;
  return isTooDeep(calls) ? `expected_calls are nested deeper than ${maxDepth}` : null;
}

function isMessage(message: Json): boolean {
  return (
    isJsonObject(message) &&
    roles.some((role) => role === message["role"]) &&
    typeof message["content"] === "string"
  );
}

function warningsOfLevel({ difficulty, tools, expected_calls: calls }: ToolsSample): string[] {
  const few = difficulty === "easy" ? tools.length === 1 : tools.length >= 2 && tools.length <= 5;
  const fits = difficulty !== "hard" || calls.length !== 1;
  return few && fits
    ? []
    : [`difficulty ${difficulty} does not fit ${tools.length} tools and ${calls.length} calls`];
}
