import type { Answer } from "../../../contracts/answer.ts";
import { bounds, cutText } from "../../../contracts/bounds.ts";
import {
  type OutputStatus,
  outputStatus,
  type ParseOutcome,
  readOutput,
} from "../../../measures/json-output/read-output.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { SlotsOptions } from "../options.ts";
import { addSlot, type Slots, slotsOf } from "./slots.ts";

/** The slots of an answer, and how it was read. */
export interface ReadSlots {
  status: OutputStatus;
  parse: ParseOutcome;
  /** Whether the endpoint cut the output off at the token limit. */
  truncated: boolean;
  slots: Slots;
}

/** The answer in the format lines if there is nothing to store. */
const nothing = /^\W*none\W*$/i;

/**
 * The slots of an answer, in the requested format. JSON is read and recovered as in the suite `extraction`; in the
 * format `lines`, lines that are not slots are skipped (`recovered` if there are any). A refused, empty or unreadable
 * answer stores nothing. Never throws. Linear, except for the repair of JSON, whose length is bounded.
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

/** Slots written as lines, and how many lines are not slots. */
interface ReadLines {
  slots: Slots;
  /** Lines with text that are not slots. */
  otherLines: number;
  slotLines: number;
}

/** Marks that small models put before the items of a list. */
const listMark = /^(?:[-*•]|\d{1,4}[.)])[ \t]+/;

/**
 * The slots of lines `topic::field::value, value`. Names are trimmed, a list mark before them is
 * ignored, a line without a topic or field is not a slot, a slot on several lines has the values of
 * all. A third `::` belongs to the value. Linear.
 * Source: docs/spec/slots.md, data.
 * @example readLines("- interests::food::ramen (spicy, hot), tea").slotLines // 1
 */
export function readLines(text: string): ReadLines {
  const read: ReadLines = { slots: new Map(), otherLines: 0, slotLines: 0 };
  for (const line of text.split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    if (readLine(read.slots, trimmed)) read.slotLines++;
    else read.otherLines++;
  }
  return read;
}

/** Adds the line to `slots` if it is a slot, and returns whether it is. */
function readLine(slots: Slots, line: string): boolean {
  const behindTopic = line.indexOf("::");
  const behindField = behindTopic < 0 ? -1 : line.indexOf("::", behindTopic + 2);
  if (behindField < 0) return false;
  const topic = line.slice(0, behindTopic).replace(listMark, "").trim();
  const field = line.slice(behindTopic + 2, behindField).trim();
  if (topic === "" || field === "") return false;
  const name = (text: string) => cutText(text, bounds.fieldName);
  addSlot(slots, name(topic), name(field), splitValues(line.slice(behindField + 2)));
  return true;
}

const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const openers: ReadonlySet<string> = new Set(Object.values(closers));

/**
 * The values of a text, split at commas and semicolons outside brackets; trimmed, without empty ones.
 * Unmatched brackets are ignored. Linear.
 * Source: docs/spec/slots.md, data.
 * @example splitValues("tea, ramen (hot, spicy); :( rain") // ["tea", "ramen (hot, spicy)", ":( rain"]
 */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  const ends = bracketEnds(text);
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const end = ends.get(i);
    if (end !== undefined) i = end;
    else if (i === text.length || text[i] === "," || text[i] === ";") {
      const value = text.slice(start, i).trim();
      if (value !== "") values.push(value);
      start = i + 1;
    }
  }
  return values;
}

/** Index of the closing bracket for each bracket that has one. Unclosed brackets within an outer pair are ignored. */
function bracketEnds(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  const count = new Map<string, number>();
  const countOf = (kind: string, change: number) =>
    count.set(kind, (count.get(kind) ?? 0) + change);
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (openers.has(char)) {
      open.push(i);
      countOf(char, 1);
    }
    const kind = closers[char];
    if (kind === undefined || !count.get(kind)) continue;
    let at = open.pop()!;
    for (; text[at] !== kind; at = open.pop()!) countOf(text[at]!, -1);
    countOf(kind, -1);
    ends.set(at, i);
  }
  return ends;
}
