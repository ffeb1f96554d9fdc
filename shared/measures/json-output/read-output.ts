import type { Answer } from "../../contracts/answer.ts";
import { boundedJson } from "../../contracts/bounds.ts";
import type { Json } from "../../contracts/json.ts";
import { parseJson, recoverJson } from "./recover-json.ts";

/** Status of an output before it is scored. */
export type OutputStatus = "answered" | "refused" | "empty" | "error";

/** How an output was parsed: as a whole, with parts omitted or repaired, or not at all. */
export type ParseOutcome = "clean" | "recovered" | "failed";

/** The JSON in a model's output. */
export interface ReadOutput {
  status: OutputStatus;
  parse: ParseOutcome;
  /** Whether the endpoint truncated the output at the token limit. */
  truncated: boolean;
  /** Undefined if `parse` is `failed`. */
  value: Json | undefined;
}

/**
 * Parses an answer's content as JSON (RFC 8259), and if that fails with `recoverJson`. Refusals, empty contents,
 * nesting deeper than `maxDepth`, more than 100,000 values, and texts without recoverable JSON are `failed`. Never
 * throws. Linear, except for repairs, whose length is limited.
 * Source: docs/spec/extraction.md, section 1.
 * @example readOutput({ ...emptyAnswer, output: "Sure: {\"a\": 1}" }).parse // "recovered"
 */
export function readOutput(answer: Answer): ReadOutput {
  const truncated = answer.finishReason === "length";
  const status = outputStatus(answer);
  if (status !== "answered") return { status, parse: "failed", truncated, value: undefined };
  const text = answer.output ?? "";
  const clean = parseJson(text);
  if (clean !== undefined) {
    return { status, parse: "clean", truncated, value: boundedOutput(text, clean) };
  }
  const recovered = recoverJson(text);
  if (recovered === undefined) return { status, parse: "failed", truncated, value: undefined };
  return { status, parse: "recovered", truncated, value: boundedOutput(text, recovered) };
}

/**
 * Only a long text can have a long name or a number with so many digits, and only such an exponent exceeds the range
 * of doubles.
 */
const mayExceed = /\d[eE]\+?\d{3}/;
const boundedOutput = (text: string, value: Json): Json =>
  text.length > 300 || mayExceed.test(text) ? boundedJson(value) : value;

/**
 * Status of an answer, regardless of its content; blank contents are `empty`.
 * Source: docs/spec/extraction.md, section 1.
 * @example outputStatus({ ...emptyAnswer, output: " " }) // "empty"
 */
export function outputStatus(answer: Answer): OutputStatus {
  if (answer.error !== null) return "error";
  if (answer.refusal !== null && answer.refusal !== "") return "refused";
  return answer.output === null || answer.output.trim() === "" ? "empty" : "answered";
}
