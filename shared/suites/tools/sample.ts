import type { ChatMessage } from "../../contracts/chat-request.ts";
import { asObject, isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { type PreparedSchema, readSchema } from "../../measures/json-schema/read-schema.ts";
import { isTags } from "../../measures/repeats.ts";
import {
  alternatives,
  type ExpectedCall,
  flawOfCalls,
  flawOfTools,
  isMessage,
  toolFunction,
  toolName,
} from "./sample-parts.ts";
import { type Conversation, conversationWarnings, readConversation } from "./turns/conversation.ts";

/** Levels, easiest first. */
export const levels = ["easy", "medium", "hard"] as const;
export type Level = (typeof levels)[number];

/**
 * Messages, available tools and expected calls; no expected calls: no call is right. With several turns these are all
 * user messages, tools and expected calls, and `conversation` has them by turn.
 */
export interface ToolsSample {
  id: string;
  difficulty: Level;
  messages: ChatMessage[];
  tools: JsonObject[];
  expected_calls: ExpectedCall[];
  tags: Record<string, string>;
  conversation?: Conversation;
}

/**
 * Whether a dataset row can be used: it needs an id, a level, messages, tools in OpenAI's format, and expected calls. A
 * call of a tool that the sample does not offer makes it malformed, because no model could make it. A level that does
 * not fit the number of tools or calls gives a warning, and so does an expected call that no answer can match or that
 * looks mistyped. Never throws.
 * Source: docs/spec/tools.md, data.
 * @example checkSample({ id: "a" }) // { ok: false, error: "difficulty must be easy, medium or hard" }
 */
export function checkSample(row: unknown): Result<CheckedSample<ToolsSample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id, difficulty, messages, tools, expected_calls: calls, tags = {} } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  const level = levels.find((one) => one === difficulty);
  if (level === undefined) return err("difficulty must be easy, medium or hard");
  if (!isTags(tags)) return err("tags must be an object of strings");
  if (row["turns"] !== undefined) return checkConversation(row, { id, difficulty: level, tags });
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    return err("messages must be a list of {role, content}, with at least one");
  }
  const flaw = flawOfTools(tools) ?? flawOfCalls(calls, "expected_calls");
  if (flaw !== null) return err(flaw);
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
  if (unknown)
    return err(`expected_calls names "${unknown.name}", which is not a tool of the sample`);
  const ofCalls = callWarnings(sample.expected_calls, sample.tools.map(toolFunction));
  return ok({ sample, warnings: [...warningsOfLevel(sample), ...ofCalls] });
}

function checkConversation(
  row: JsonObject,
  rest: Pick<ToolsSample, "id" | "difficulty" | "tags">,
): Result<CheckedSample<ToolsSample>, string> {
  const read = readConversation(row);
  if (!read.ok) return read;
  const { conversation, ...all } = read.value;
  const sample = { ...rest, ...all, conversation };
  const ofCalls = callWarnings(sample.expected_calls, sample.tools.map(toolFunction));
  return ok({ sample, warnings: [...ofCalls, ...conversationWarnings(conversation)] });
}

function warningsOfLevel({ difficulty, tools, expected_calls: calls }: ToolsSample): string[] {
  const few = difficulty === "easy" ? tools.length === 1 : tools.length >= 2 && tools.length <= 5;
  const fits = difficulty !== "hard" || calls.length !== 1;
  return few && fits
    ? []
    : [`difficulty ${difficulty} does not fit ${tools.length} tools and ${calls.length} calls`];
}

/** Maximum number of values validated in one sample: more than any real sample has. */
const mostValidated = 200;

/** Maximum warnings: the first few show what is wrong with a sample. */
const mostWarnings = 10;

/** Keywords of `parameters` that describe arguments, or that a `$ref` may point to. */
const kept = ["$schema", "$id", "$defs", "definitions", "properties"] as const;

/**
 * Warnings about parts of the expected calls that no answer can match or that look mistyped: an `any_of` that is empty
 * or not a list, an argument that the function does not have, a value that does not fit its schema. Values with a
 * nested `any_of` are not validated. `functions` are the functions that the sample offers. Linear in the calls, except
 * for validation, which has a limit.
 * Source: docs/spec/tools.md, data.
 * @example callWarnings([{ name: "ping", arguments: { n: { any_of: [] } } }], [{ name: "ping" }])
 * // ["expected call 1, ping, argument n: any_of lists no value, so no answer can match it"]
 */
export function callWarnings(
  calls: readonly ExpectedCall[],
  functions: readonly JsonObject[],
): string[] {
  const validators = new Map(functions.map((one) => [one["name"], new ArgumentValidator(one)]));
  const warnings: string[] = [];
  let validated = 0;
  for (const [i, { name, arguments: expected }] of calls.entries()) {
    for (const [argument, value] of Object.entries(expected)) {
      if (warnings.length === mostWarnings) return warnings;
      const plain = plainValues(value).slice(0, mostValidated - validated);
      validated += plain.length;
      const flaw = flawOfAnyOf(value) ?? validators.get(name)?.flawOf(argument, plain) ?? null;
      if (flaw !== null)
        warnings.push(`expected call ${i + 1}, ${name}, argument ${argument}: ${flaw}`);
    }
  }
  return warnings;
}

/** Validates arguments of one function; its schema is prepared on first use. */
class ArgumentValidator {
  readonly #parameters: JsonObject;
  #schema: PreparedSchema | null = null;

  constructor({ parameters }: JsonObject) {
    this.#parameters = asObject(parameters);
  }

  flawOf(argument: string, values: readonly Json[]): string | null {
    const { properties, patternProperties, additionalProperties } = this.#parameters;
    const isDeclared = isJsonObject(properties) && Object.hasOwn(properties, argument);
    if (!isDeclared) {
      const isRefused = additionalProperties === false && patternProperties === undefined;
      return isRefused ? "the function has no such argument, and allows no others" : null;
    }
    this.#schema ??= readSchema(partOf(this.#parameters), false);
    for (const value of values) {
      const validated = this.#schema.validate({ [argument]: value });
      if (!validated.ok) return null;
      if (validated.value.length > 0)
        return `an expected value does not fit its schema: ${validated.value[0]}`;
    }
    return null;
  }
}

/** The schema without keywords about all arguments together, such as `required`. */
function partOf(parameters: JsonObject): JsonObject {
  const entries = kept.flatMap((keyword) => {
    const value = parameters[keyword];
    return value === undefined ? [] : [[keyword, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The error of the first invalid `any_of` in a value, at any depth. */
function flawOfAnyOf(value: Json): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (isAnyOf(value)) {
    const any = alternatives(value);
    if (any === null) return "any_of is not a list, so only an object with any_of matches it";
    if (any.length === 0) return "any_of lists no value, so no answer can match it";
  }
  for (const part of Object.values(value)) {
    const flaw = flawOfAnyOf(part);
    if (flaw !== null) return flaw;
  }
  return null;
}

/** The literally accepted values; an empty value only means that the argument may be missing. */
function plainValues(value: Json): Json[] {
  const any = alternatives(value);
  if (any === null) return holdsAnyOf(value) ? [] : [value];
  return any.flatMap((one) => (one === "" || one === null ? [] : plainValues(one)));
}

function holdsAnyOf(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isAnyOf(value) || Object.values(value).some(holdsAnyOf);
}

const isAnyOf = (value: Json) =>
  isJsonObject(value) && "any_of" in value && Object.keys(value).length === 1;
