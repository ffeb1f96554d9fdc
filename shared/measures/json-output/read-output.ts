import type { Answer } from "../../contracts/answer.ts";
import { boundedJson } from "../../contracts/bounds.ts";
import type { Json } from "../../contracts/json.ts";
import { parseJson, recoverJson } from "./recover-json.ts";

/** Status of an output before it is scored. */
export type OutputStatus = "answered" | "refused" | "empty" | "error";

/** How an output was read: as a whole, with parts left out or repaired, or not at all. */
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
 * Reads an answer's content as JSON (RFC 8259). Where that fails it is recovered, as `recoverJson` says.
 * Refusals, empty contents, nesting below `maxDepth`, more than 100,000 values and texts that hold nothing to recover
 * are `failed`. Never throws. Linear but for repair, whose length is bounded.
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

/** Only a long text has a long name, or a number of so many digits, and only such an exponent leaves the range of doubles. */
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
