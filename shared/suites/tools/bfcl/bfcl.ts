import { asObject, isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { ok, type Result } from "../../../contracts/result.ts";
import { callWarnings, checkSample, type Level } from "../sample.ts";
import { type ExpectedCall, toolFunction, toolName } from "../sample-parts.ts";
import { type BfclDocuments, bfclConversation } from "./bfcl-conversation.ts";
import {
  type BfclCase,
  type BfclSkip,
  type BfclWarning,
  itemsOf,
  jsonSchemaOf,
  propertyOf,
  skipped,
} from "./bfcl-schema.ts";

/** Maximum number of tools in the specification. */
const fewTools = 5;

type Named = JsonObject & { name: string };

/**
 * A case of the Berkeley Function Calling Leaderboard as a sample, or why it can't be a sample. `answer` is its
 * `ground_truth` if it is in another file. Cases with several turns need the documents of their functions. Never
 * throws.
 * Source: BFCL v4, `bfcl_eval/data` and `ast_checker.py`; docs/spec/tools.md, data.
 * @example bfclSample(irrelevanceRow).value.sample.expected_calls // []
 */
export function bfclSample(
  row: unknown,
  answer?: Json,
  documents: BfclDocuments = new Map(),
): Result<BfclCase, BfclSkip> {
  if (!isJsonObject(row)) return skipped("malformed", "the row is not a JSON object");
  const { id } = row;
  if (typeof id !== "string" || id === "") return skipped("malformed", "id is not a string");
  const category = categoryOf(row, id);
  if (/java/i.test(category)) return skipped("otherLanguage");
  const truth = answer ?? row["ground_truth"];
  if (row["involved_classes"] !== undefined) {
    return bfclConversation(row, truth, documents, { id, category });
  }
  return singleTurn(row, truth, { id, category });
}

/** A case with one turn. */
function singleTurn(
  row: JsonObject,
  truth: Json | undefined,
  { id, category }: { id: string; category: string },
): Result<BfclCase, BfclSkip> {
  const messages = messagesOf(row["question"]);
  if (messages === "several") return skipped("severalTurns");
  if (messages === null) return skipped("malformed", "question is not a list of turns of messages");
  if (row["function"] === undefined) return skipped("otherWorld");
  const functions = functionsOf(row["function"]);
  if (functions === null) return skipped("malformed", "function is not a list of named functions");
  if (functions.length === 0) return skipped("noFunctions");
  const names = allowedNames(functions.map(({ name }) => name));
  const tools = functions.map((one) => toolOf(one, names.get(one.name)!));
  const read = callsOf(category, truth, tools, names);
  if (!read.ok) return read;
  const { calls, warnings } = read.value;
  const checked = checkSample({
    id,
    difficulty: levelOf(tools.length, calls.length),
    messages,
    tools,
    expected_calls: calls,
    tags: { source: "bfcl", category, kind: kindOf(tools.length, calls) },
  });
  if (!checked.ok) return skipped("malformed", checked.error);
  const { sample } = checked.value;
  const isDoubtful = callWarnings(calls, sample.tools.map(toolFunction)).length > 0;
  return ok({
    sample,
    row: { ...sample } as unknown as JsonObject,
    renamed: [...names].flatMap(([from, to]) => (from === to ? [] : [{ from, to }])),
    warnings: [
      ...(tools.length > fewTools ? (["manyTools"] as const) : []),
      ...(isDoubtful ? (["doubtfulCall"] as const) : []),
      ...warnings,
    ],
  });
}

/** BFCL's files have the category only in the id: `live_simple_1-1-0`. */
function categoryOf({ category }: JsonObject, id: string): string {
  return typeof category === "string" ? category : id.replace(/_\d+(-.*)?$/, "");
}

/** The messages of the only turn. Old files have no list of turns around them. */
function messagesOf(question: Json | undefined): Json[] | "several" | null {
  if (!Array.isArray(question) || question.length === 0) return null;
  if (question.every(isJsonObject)) return question.map(messageOf);
  const [turn] = question;
  if (question.length > 1) return "several";
  return Array.isArray(turn) && turn.every(isJsonObject) ? turn.map(messageOf) : null;
}

const messageOf = ({ role = null, content = null }: JsonObject): JsonObject => ({ role, content });

function functionsOf(given: Json | undefined): Named[] | null {
  const list = isJsonObject(given) ? [given] : given;
  const isNamed = (one: Json): one is Named =>
    isJsonObject(one) && typeof one["name"] === "string" && one["name"] !== "";
  return Array.isArray(list) && list.every(isNamed) ? list : null;
}

function toolOf({ description, parameters }: JsonObject, name: string): JsonObject {
  const described = typeof description === "string" ? { description } : {};
  const schema = jsonSchemaOf(parameters ?? { type: "dict", properties: {} });
  return { type: "function", function: { name, ...described, parameters: schema } };
}

/** The specification's levels: one tool; a choice among several tools; several calls with several tools. */
function levelOf(tools: number, calls: number): Level {
  if (tools === 1) return "easy";
  return calls > 1 ? "hard" : "medium";
}

function kindOf(tools: number, calls: readonly ExpectedCall[]): string {
  if (calls.length === 0) return "irrelevance";
  if (calls.length === 1) return tools === 1 ? "single" : "choice";
  return new Set(calls.map(({ name }) => name)).size < calls.length ? "parallel" : "several";
}

/** Function names that OpenAI accepts. */
const allowed = /^[a-zA-Z0-9_-]{1,64}$/;
const mostCharacters = 64;

/**
 * A name that OpenAI accepts for each function of a sample: the same if OpenAI accepts it, else with `_` for each other
 * character, as in BFCL for models that refuse dots, cut to 64 characters, and numbered if another function has that
 * name.
 * Source: OpenAI API, `tools[].function.name`; BFCL, `convert_func_name`.
 * @example allowedNames(["uber.ride", "ping"]).get("uber.ride") // "uber_ride"
 */
export function allowedNames(names: readonly string[]): Map<string, string> {
  const taken = new Set(names.filter((name) => allowed.test(name)));
  return new Map(
    [...new Set(names)].map((name) => {
      if (allowed.test(name)) return [name, name];
      const other = freeName(name.replace(/[^a-zA-Z0-9_-]/g, "_") || "_", taken);
      taken.add(other);
      return [name, other];
    }),
  );
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : `_${number}`;
    const name = wanted.slice(0, mostCharacters - end.length) + end;
    if (!taken.has(name)) return name;
  }
}

/** The expected calls of a case. */
interface BfclCalls {
  calls: ExpectedCall[];
  warnings: BfclWarning[];
}

/**
 * The calls of a ground truth, a list of `{name: {argument: [accepted values]}}`; empty in a category of irrelevance.
 * `names` are the names that replace BFCL's.
 * Source: BFCL v4, `possible_answer`.
 * @example callsOf("simple", [{ ping: { n: [1, ""] } }], [], new Map()).value.calls[0].arguments // { n: { any_of: [1, ""] } }
 */
function callsOf(
  category: string,
  truth: Json | undefined,
  tools: readonly JsonObject[],
  names: ReadonlyMap<string, string>,
): Result<BfclCalls, BfclSkip> {
  if (category.includes("irrelevance")) return ok({ calls: [], warnings: [] });
  if (truth === undefined) {
    return skipped(category.includes("relevance") ? "relevance" : "noAnswer");
  }
  const list = isJsonObject(truth) ? [truth] : truth;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isJsonObject)) {
    return skipped(
      "malformed",
      "ground_truth is not a list of {name: {argument: [accepted values]}}",
    );
  }
  const calls: ExpectedCall[] = [];
  const warnings = new Set<BfclWarning>();
  for (const [original, accepted] of list.flatMap((call) => Object.entries(call))) {
    const name = names.get(original) ?? original;
    const tool = tools.find((one) => toolName(one) === name) ?? {};
    const read = argumentsOf(accepted, schemaOf(tool));
    if (!read.ok) return read;
    if (isJsonObject(accepted) && Object.values(accepted).some(isEmpty)) warnings.add("emptyList");
    calls.push({ name, arguments: read.value });
  }
  return ok({ calls, warnings: [...warnings] });
}

function argumentsOf(accepted: Json, schema: JsonObject): Result<JsonObject, BfclSkip> {
  if (!isJsonObject(accepted)) return skipped("malformed", "the arguments are not an object");
  const expected: [string, Json][] = [];
  for (const [key, values] of Object.entries(accepted)) {
    if (!Array.isArray(values)) {
      return skipped("malformed", `accepted values of ${key} are not a list`);
    }
    const value = expectedOf(values, propertyOf(schema, key));
    if (value === null) return skipped("noAcceptedValue", key);
    expected.push([key, value]);
  }
  return ok(Object.fromEntries(expected));
}

const isEmpty = (values: Json) => Array.isArray(values) && values.length === 0;

function schemaOf(tool: JsonObject): JsonObject {
  const { parameters } = toolFunction(tool);
  return asObject(parameters);
}

/** Deeper values are not converted; `checkSample` then refuses the sample. */
const mostDepth = 64;

/**
 * The expected value of an argument, from BFCL's list of accepted values: the value if there is only one, else
 * `{"any_of": […]}`, in which `""` and null mean that the argument may be missing, and `""` also that it may be the
 * empty value of its type. In an accepted object, and in each object of a list, each key has such a list again; objects
 * within these are not converted, except lists where the schema expects no array. An empty list means the empty array
 * or no argument if the schema expects an array; else the result is null, because no value is right.
 * Source: BFCL, `ast_checker.py` (`dict_checker`, `list_dict_checker`).
 * @example expectedOf(["NYC", "New York", ""], { type: "string" }) // { any_of: ["NYC", "New York", ""] }
 * @example expectedOf([{ x: [1, ""] }], { type: "object" }) // { x: { any_of: [1, ""] } }
 */
export function expectedOf(accepted: readonly Json[], schema: JsonObject): Json | null {
  if (accepted.length === 0) return schema["type"] === "array" ? { any_of: [[], ""] } : null;
  return oneOf(accepted.map((value) => read(value, schema, 0)));
}

function oneOf(values: Json[]): Json {
  const [first] = values;
  const isOne = values.length === 1 && first !== "" && first !== null;
  return isOne ? first! : { any_of: values };
}

/** `depth` counts the enclosing objects: only keys of the outermost object have lists of accepted values. */
function read(value: Json, schema: JsonObject, depth: number): Json {
  if (depth > mostDepth) return value;
  if (Array.isArray(value)) return value.map((one) => read(one, itemsOf(schema), depth));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, held]) => {
    const below = propertyOf(schema, key);
    const { type } = below;
    const isList = depth === 0 || (type !== undefined && type !== "array");
    if (!Array.isArray(held) || !isList) return [key, read(held, below, depth + 1)];
    return [key, oneOf(held.map((one) => read(one, below, depth + 1)))];
  });
  return Object.fromEntries(entries);
}
