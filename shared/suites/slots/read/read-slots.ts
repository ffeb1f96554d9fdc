import type { Answer } from "../../../contracts/answer.ts";
import {
  type OutputStatus,
  outputStatus,
  type ParseOutcome,
  readOutput,
} from "../../../measures/json-output/read-output.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { SlotsOptions } from "../options.ts";
import { readLines } from "./read-lines.ts";
import { type Slots, slotsOf } from "./slots.ts";

/** What an answer stores, and how it was read. */
export interface ReadSlots {
  status: OutputStatus;
  parse: ParseOutcome;
  /** Whether the endpoint cut the output off at the token limit. */
  truncated: boolean;
  slots: Slots;
}

/** An answer in lines that has nothing to store. */
const nothing = /^\W*none\W*$/i;

/**
 * The slots of an answer, in the format that was asked for. JSON is read as in the suite `extraction`, a
 * broken one recovered; of lines those that are slots are taken, `recovered` where there are others. What
 * is refused, empty or unreadable stores nothing. Never throws. Linear but for the repair of JSON, whose
 * length is bounded.
 * Source: docs/spec/slots.md, data; docs/spec/extraction.md, section 1.
 * @example readSlots({ ...emptyAnswer, output: "a::b::c" }, "lines").slots.get("a")?.get("b") // ["c"]
 */
export function readSlots(answer: Answer, format: SlotsOptions["format"]): ReadSlots {
  const said = withoutThoughts(answer);
  if (format === "lines") return slotLines(said);
  const { value, ...read } = readOutput(said);
  return { ...read, slots: slotsOf(value ?? null) };
}

function slotLines(answer: Answer): ReadSlots {
  const status = outputStatus(answer);
  const truncated = answer.finishReason === "length";
  const output = answer.output ?? "";
  if (status !== "answered" || (output.length < 100 && nothing.test(output))) {
    const parse = status === "answered" ? "clean" : "failed";
    return { status, parse, truncated, slots: new Map() };
  }
  const { slots, slotLines, otherLines } = readLines(output);
  const parse = slotLines === 0 ? "failed" : otherLines === 0 ? "clean" : "recovered";
  return { status, parse, truncated, slots };
}
