import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { ok, type Result } from "../../../contracts/result.ts";
import { callWarnings } from "../call-warnings.ts";
import { checkSample, type ExpectedCall, type Level, toolFunction } from "../sample.ts";
import { callsOf } from "./bfcl-calls.ts";
import { allowedNames } from "./bfcl-names.ts";
import { type BfclCase, type BfclSkip, skipped } from "./bfcl-outcome.ts";
import { jsonSchemaOf } from "./bfcl-schema.ts";

/** Most tools that the specification foresees. */
const fewTools = 5;

type Named = JsonObject & { name: string };

/**
 * A case of the Berkeley Function Calling Leaderboard as a sample, or why it can't be one. `answer` is
 * its `ground_truth` where that is kept in another file. Never throws.
 * Source: BFCL v4, `bfcl_eval/data` and `ast_checker.py`; docs/spec/tools.md, data.
 * @example bfclSample(irrelevanceRow).value.sample.expected_calls // []
 */
export function bfclSample(row: unknown, answer?: Json): Result<BfclCase, BfclSkip> {
  if (!isJsonObject(row)) return skipped("malformed", "the row is not a JSON object");
  const { id } = row;
  if (typeof id !== "string" || id === "") return skipped("malformed", "id is no text");
  const category = categoryOf(row, id);
  if (/java/i.test(category)) return skipped("otherLanguage");
  const messages = messagesOf(row["question"]);
  if (messages === "several") return skipped("severalTurns");
  if (messages === null) return skipped("malformed", "question is no list of turns of messages");
  if (row["function"] === undefined) return skipped("otherWorld");
  const functions = functionsOf(row["function"]);
  if (functions === null) return skipped("malformed", "function is no list of named functions");
  if (functions.length === 0) return skipped("noFunctions");
  const names = allowedNames(functions.map(({ name }) => name));
  const tools = functions.map((one) => toolOf(one, names.get(one.name)!));
  const isIrrelevance = category.includes("irrelevance");
  const truth = answer ?? row["ground_truth"];
  if (!isIrrelevance && truth === undefined) {
    return skipped(category.includes("relevance") ? "relevance" : "noAnswer");
  }
  const read = isIrrelevance ? ok({ calls: [], warnings: [] }) : callsOf(truth!, tools, names);
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
    renamed: [...names].flatMap(([from, to]) => (from === to ? [] : [{ from, to }])),
    warnings: [
      ...(tools.length > fewTools ? (["manyTools"] as const) : []),
      ...(isDoubtful ? (["doubtfulCall"] as const) : []),
      ...warnings,
    ],
  });
}

/** BFCL's own files have the category in the id alone: `live_simple_1-1-0`. */
function categoryOf({ category }: JsonObject, id: string): string {
  return typeof category === "string" ? category : id.replace(/_\d+(-.*)?$/, "");
}

/** The messages of the one turn there is. Old files have no list of turns around them. */
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

/** As the specification has it: one tool, a choice among several, and several calls of several. */
function levelOf(tools: number, calls: number): Level {
  if (tools === 1) return "easy";
  return calls > 1 ? "hard" : "medium";
}

function kindOf(tools: number, calls: readonly ExpectedCall[]): string {
  if (calls.length === 0) return "irrelevance";
  if (calls.length === 1) return tools === 1 ? "single" : "choice";
  return new Set(calls.map(({ name }) => name)).size < calls.length ? "parallel" : "several";
}
