import type { ToolCall } from "../../contracts/answer.ts";
import { isJsonObject, type Json } from "../../contracts/json.ts";

const opening = "<tool_call>";
const closing = "</tool_call>";

/** A sequence of complete calls. */
interface WrittenCalls {
  calls: ToolCall[];
  start: number;
  end: number;
}

/**
 * The calls at the end of a text, in the format of Qwen and Hermes: `<tool_call>` blocks that begin lines or follow
 * sentences; a truncated last one is omitted. Empty if the text does not end with calls. Linear.
 * @example trailingCalls('<tool_call>{"name": "ping", "arguments": {}}</tool_call>')[0]?.name // "ping"
 */
export function trailingCalls(text: string): ToolCall[] {
  const runs = [...runsIn(text)];
  const rest = text.slice(runs.at(-1)?.end).trim();
  return rest === "" || rest.startsWith(opening) ? runs.flatMap(({ calls }) => calls) : [];
}

/**
 * Thoughts that were never closed, and the complete calls that ended them. Linear.
 * @example unclosedCalls("Hm.\n<tool_call>{}</tool_call>").thoughts // "Hm.\n"
 */
export function unclosedCalls(text: string): { thoughts: string; calls: string } {
  for (const { start, end } of runsIn(text)) {
    let behind = end;
    while (text[behind] === " " || text[behind] === "\t") behind++;
    if (/^[\r\n<]?$/.test(text[behind] ?? "")) {
      return { thoughts: text.slice(0, start), calls: text.slice(start, end) };
    }
  }
  return { thoughts: text, calls: "" };
}

function* runsIn(text: string): Generator<WrittenCalls> {
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
    if (!isOwn(text, at)) continue;
    const run: WrittenCalls = { calls: [], start: at, end: at };
    for (let from = at; text.startsWith(opening, from); from = behindSpace(text, run.end)) {
      const close = text.indexOf(closing, from);
      if (close < 0) break;
      run.calls.push(callOf(text.slice(from + opening.length, close)));
      run.end = close + closing.length;
    }
    // If nothing closes this one, nothing closes later ones.
    if (run.calls.length === 0) return;
    yield run;
    at = run.end - 1;
  }
}

/** In a sentence a call is an example. */
function isOwn(text: string, at: number): boolean {
  let before = at;
  while (before > 0 && (text[before - 1] === " " || text[before - 1] === "\t")) before--;
  return before === 0 || /[\r\n.!?:>}\]]/.test(text[before - 1]!);
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]!.trim() === "") at++;
  return at;
}

/** An object without the form of a call matches nothing. */
function callOf(text: string): ToolCall {
  try {
    const call = JSON.parse(text) as Json;
    if (isJsonObject(call) && typeof call["name"] === "string") {
      return { name: call["name"], arguments: call["arguments"] ?? {} };
    }
  } catch {
    // It stays text.
  }
  return { name: "", arguments: text };
}
