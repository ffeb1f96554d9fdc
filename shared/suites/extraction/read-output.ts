import { jsonrepair } from "jsonrepair";
import type { Answer } from "../../contracts/answer.ts";
import type { Json } from "../../contracts/json.ts";
import { firstBracketed } from "./bracketed.ts";
import { isTooDeep, maxDepth } from "./nesting.ts";

/** What came back, before it is scored. */
export type OutputStatus = "answered" | "refused" | "empty" | "error";

/** How an output became JSON. */
export type ParseOutcome = "clean" | "recovered" | "failed";

/** A model's output as JSON, where it is. */
export interface ReadOutput {
  status: OutputStatus;
  parse: ParseOutcome;
  /** Whether the endpoint cut the output off at the token limit. */
  truncated: boolean;
  /** Undefined where `parse` is `failed`. */
  value: Json | undefined;
}

/**
 * Longest text that is repaired: jsonrepair takes quadratic time where quotes never close, here about
 * a second. Some seven times what fits the default token limit.
 */
const maxRepairLength = 65_536;

/**
 * Reads an answer's content as JSON (RFC 8259). Where that fails it is recovered: one Markdown code
 * fence stripped, then the outermost balanced brackets taken, then repaired from the first bracket on.
 * Refusals, empty contents, nesting below `maxDepth` and repairs that end in an empty object or array
 * are `failed`, as is a broken text of more than 65,536 characters. Never throws. Linear but for repair.
 * Source: specification of the extraction suite, section 1.
 * @example readOutput({ ...emptyAnswer, output: "Sure: {\"a\": 1}" }).parse // "recovered"
 */
export function readOutput(answer: Answer): ReadOutput {
  const truncated = answer.finishReason === "length";
  const status = statusOf(answer);
  if (status !== "answered") return { status, parse: "failed", truncated, value: undefined };
  const text = answer.output ?? "";
  const clean = parsed(text);
  if (clean !== undefined) return { status, parse: "clean", truncated, value: clean };
  const value = recovered(text);
  return { status, parse: value === undefined ? "failed" : "recovered", truncated, value };
}

function statusOf(answer: Answer): OutputStatus {
  if (answer.error !== null) return "error";
  if (answer.refusal !== null && answer.refusal !== "") return "refused";
  return answer.output === null || answer.output.trim() === "" ? "empty" : "answered";
}

/** The JSON value of `text`; undefined where it is none or nested too deep. */
function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return text.length > 2 * maxDepth && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function recovered(text: string): Json | undefined {
  const found = firstBracketed(withoutFence(text));
  if (found === null || found.depth > maxDepth) return undefined;
  return (found.closed ? parsed(found.text) : undefined) ?? repaired(found.text);
}

/** The inside of the first code fence that opens on a line of its own, to its end or the text's. */
function withoutFence(text: string): string {
  const opening = /^[ \t]*```[^\n`]*\n/m.exec(text);
  if (opening === null) return text;
  const start = opening.index + opening[0].length;
  const end = text.indexOf("\n```", start - 1);
  return text.slice(start, end < 0 ? undefined : end);
}

function repaired(text: string): Json | undefined {
  if (text.length > maxRepairLength) return undefined;
  try {
    const value = parsed(jsonrepair(text));
    return typeof value === "object" && value !== null && Object.keys(value).length > 0
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}
