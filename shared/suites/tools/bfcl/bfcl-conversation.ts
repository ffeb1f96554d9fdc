import { asObject, isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { ok, type Result } from "../../../contracts/result.ts";
import { checkSample } from "../sample.ts";
import type { ExpectedCall } from "../sample-parts.ts";
import { type BfclCase, type BfclSkip, jsonSchemaOf, skipped } from "./bfcl-schema.ts";
import { pythonCalls } from "./python-calls.ts";
import { bfclClasses } from "./worlds/classes.ts";

/** Documents of functions by BFCL's class. */
export type BfclDocuments = ReadonlyMap<string, readonly JsonObject[]>;

/** BFCL's files of documents, by class. Source: BFCL v4, `executable_backend_config.py`. */
export const documentFiles: Readonly<Record<string, string>> = {
  GorillaFileSystem: "gorilla_file_system.json",
  MathAPI: "math_api.json",
  MessageAPI: "message_api.json",
  TicketAPI: "ticket_api.json",
  TradingBot: "trading_bot.json",
  TravelAPI: "travel_booking.json",
  TwitterAPI: "posting_api.json",
  VehicleControlAPI: "vehicle_control.json",
};

/** BFCL's message when it offers functions that were missing. Source: BFCL v4, `default_prompts.py`. */
const newFunctions = "I have updated some more functions you can choose from. What about now?";

/**
 * A case with several turns as a sample, with the documents of its classes; or why it can't be a sample. Never throws.
 * Source: BFCL v4, `multi_turn_utils.py`, `utils.py`; docs/spec/tools.md, several turns.
 * @example bfclConversation(row, truth, documents, { id, category }).ok
 */
export function bfclConversation(
  { question, involved_classes: classes, initial_config: config, ...row }: JsonObject,
  truth: Json | undefined,
  documents: BfclDocuments,
  { id, category }: { id: string; category: string },
): Result<BfclCase, BfclSkip> {
  const names = Array.isArray(classes) ? classes.map(String) : [];
  if (names.length === 0 || names.some((name) => !Object.hasOwn(bfclClasses, name))) {
    return skipped("otherWorld");
  }
  if (category.includes("long_context")) return skipped("longContext");
  if (names.some((name) => !documents.has(name))) return skipped("noDocuments");
  if (truth === undefined) return skipped("noAnswer");
  const functions = names.flatMap((name) => documents.get(name)!);
  const { excluded_function: excluded, missed_function: missed } = row;
  const left = Array.isArray(excluded) ? excluded : [];
  const offered = functions.filter((one) => !left.includes(one["name"] ?? null));
  const later = asObject(missed);
  const held = new Set(Object.values(later).flatMap((list) => (Array.isArray(list) ? list : [])));
  const turns = turnsOf(question, truth, offered, later);
  if (turns === null) return skipped("malformed", "question and ground_truth do not fit");
  const given: JsonObject = {
    id,
    difficulty: "hard",
    tools: offered.filter((one) => !held.has(one["name"] ?? null)).map(toolOf),
    turns,
    world: { bfcl: names, state: asObject(config) },
    tags: { source: "bfcl", category, kind: "conversation" },
  };
  const checked = checkSample(given);
  if (!checked.ok) return skipped("malformed", checked.error);
  return ok({ sample: checked.value.sample, row: given, renamed: [], warnings: [] });
}

function toolOf({ name = "", description, parameters = {} }: JsonObject): JsonObject {
  const described = typeof description === "string" ? { description } : {};
  const schema = jsonSchemaOf(parameters);
  return { type: "function", function: { name, ...described, parameters: schema } };
}

function turnsOf(
  question: Json | undefined,
  truth: Json,
  functions: readonly JsonObject[],
  later: JsonObject,
): JsonObject[] | null {
  if (!Array.isArray(question) || !Array.isArray(truth) || question.length !== truth.length) {
    return null;
  }
  const turns = question.map((said, i): JsonObject | null => {
    const calls = truthCalls(truth[i] ?? null, functions);
    if (calls === null || !Array.isArray(said)) return null;
    const names = Array.isArray(later[i]) ? later[i] : [];
    const tools = functions.filter((one) => names.includes(one["name"] ?? null)).map(toolOf);
    const messages = said
      .filter(isJsonObject)
      .map(({ role = "", content = "" }) => ({ role, content }));
    const asked = messages.length > 0 ? messages : [{ role: "user", content: newFunctions }];
    return { messages: asked, tools, expected_calls: calls as unknown as Json };
  });
  return turns.every((turn) => turn !== null) ? turns : null;
}

/** Positional arguments have the names of the function's parameters, in their order. */
function truthCalls(given: Json, functions: readonly JsonObject[]): ExpectedCall[] | null {
  if (!Array.isArray(given)) return null;
  const calls = given.map((text): ExpectedCall | null => {
    const [call, ...others] = (typeof text === "string" && pythonCalls(text)) || [];
    if (call === undefined || others.length > 0) return null;
    const { parameters } = functions.find(({ name }) => name === call.name) ?? {};
    const order = Object.keys(asObject(asObject(parameters)["properties"]));
    const placed = call.positional.map((value, i) => [order[i] ?? `argument ${i + 1}`, value]);
    return { name: call.name, arguments: { ...Object.fromEntries(placed), ...call.named } };
  });
  return calls.every((call) => call !== null) ? calls : null;
}
