import { isJsonObject, type Json } from "../../shared/contracts/json.ts";
import type { FinishedCompletion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import { garble } from "../mistakes/garble.ts";
import type { FaultKind, JudgmentFault } from "./fault-rates.ts";

/** Faults of what the model says; the HTTP exchange itself is in order. */
const completionFaults = ["prose", "fenced", "refusal", "empty"] as const;

/** A completion with the fault's mark, or as it is when the fault lies elsewhere. */
export function spoilCompletion(
  completion: FinishedCompletion,
  fault: FaultKind | null,
  draws: Draws,
): FinishedCompletion {
  const kind = completionFaults.find((known) => known === fault);
  if (kind === undefined) {
    const { content } = completion;
    return content === null
      ? completion
      : { ...completion, content: spoilJudgment(content, fault) };
  }
  return { ...garble({ ...completion, toolCalls: [] }, kind, draws), finishReason: "stop" };
}

/** Words that no answer has. */
const nobodysWords = '"as the lighthouse keeper of Utsira wrote in his diary"';

/** Where braces open inside what was never closed, even a lenient reader gives up. */
const beyondRepair = '{"reasoning": "It is fair", "score": {{[';

/** Beyond the end of every scale of judgments: shares, levels, percentages. */
const beyond = 1_000;

/** Fields of judgments that hold quotations, as a list, and as a text of their own. */
const quotingLists = new Set([
  "flagged_content",
  "impolite_phrases",
  "grammar_issues",
  "supportive_elements",
  "callbacks",
]);
const quotingTexts = new Set(["evidence", "statement1", "statement2"]);

/** What can be wrong with a judgment that comes in an answer which is in order. */
const spoilers: Readonly<Record<JudgmentFault, (text: string) => string>> = {
  "invalid-json": () => beyondRepair,
  "wrong-schema": (text) => changed(text, otherType),
  "out-of-range": (text) => changed(text, outOfRange),
  "invented-quotes": (text) => changed(text, withInventions),
};

/** A content with the mark of a judge's fault; as it is where the fault lies elsewhere. */
export function spoilJudgment(content: string, fault: FaultKind | null): string {
  const kind = Object.keys(spoilers).find((known) => known === fault) as JudgmentFault | undefined;
  return kind === undefined ? content : spoilers[kind](content);
}

function changed(text: string, change: (value: Json) => Json): string {
  try {
    return JSON.stringify(change(JSON.parse(text) as Json));
  } catch {
    return text;
  }
}

/** The same names with values of other types. */
function otherType(value: Json): Json {
  if (!isJsonObject(value)) return { verdict: "good" };
  const swap = (field: Json): Json => (typeof field === "string" ? [field.length] : "good");
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, swap(field)]));
}

function outOfRange(value: Json): Json {
  if (typeof value === "number") return value + beyond;
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, outOfRange(field)]);
  return Object.fromEntries(fields);
}

function withInventions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withInventions);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, Json] => {
    if (quotingTexts.has(name)) return [name, nobodysWords];
    if (quotingLists.has(name) && Array.isArray(field)) return [name, [...field, nobodysWords]];
    return [name, withInventions(field)];
  });
  return Object.fromEntries(fields);
}
