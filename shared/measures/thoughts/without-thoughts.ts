import type { Answer, HybridSide } from "../../contracts/answer.ts";
import { surroundings } from "./delimiters.ts";
import { harmonyText } from "./harmony.ts";
import { isJson, joinThoughts, type SplitText, Splitter, textOrNull } from "./splitter.ts";

/**
 * Prepares an answer for scoring. `output` becomes the answer without thoughts, null if there are only thoughts;
 * `thoughts` are all of them, those that the endpoint sent separately first. Calls that the model wrote as text
 * become its tool calls, unless it has some. The sides of a hybrid target are treated in the same way. An answer
 * without thoughts is returned unchanged, and applying it twice changes nothing more. Never throws. Linear.
 * Source: docs/spec/extraction.md, section 1, thoughts.
 * @example withoutThoughts({ ...emptyAnswer, output: "<think>2 + 2</think>4" }).output // "4"
 */
export function withoutThoughts(answer: Answer): Answer {
  const read = sideWithoutThoughts(answer);
  if (read.hybrid === undefined) return read;
  const { local, cloud } = read.hybrid;
  const hybrid = {
    local: sideWithoutThoughts(local),
    cloud: cloud && sideWithoutThoughts(cloud),
  };
  return { ...read, hybrid };
}

type Said = Pick<HybridSide, "output" | "toolCalls" | "thoughts">;

function sideWithoutThoughts<Side extends Said>(side: Side): Side {
  if (side.output === null) return side;
  const given = side.thoughts;
  const { answer, thoughts, calls } = splitThoughts(side.output, given !== undefined);
  const isCalled = calls.length > 0 && (side.toolCalls ?? []).length === 0;
  if (thoughts === null && answer === side.output && !isCalled) return side;
  const all = [given, thoughts].filter((one) => one !== undefined && one !== null && one !== "");
  return {
    ...side,
    output: answer,
    ...((thoughts !== null || given !== undefined) && { thoughts: all.join("\n\n") }),
    ...(isCalled && { toolCalls: calls }),
  };
}

/**
 * Whether the model thought: the text contains thoughts, or the endpoint hid them or counted reasoning tokens.
 * @example hasThoughts({ ...emptyAnswer, output: "<think></think>4" }) // false
 */
export function hasThoughts(answer: Answer): boolean {
  const { thoughts = "" } = withoutThoughts(answer);
  if (answer.thoughtsHidden || (answer.reasoningTokens ?? 0) > 0) return true;
  return thoughts.trim() !== "";
}

/** Matches every text with thoughts, markers or calls, so that other texts need only one scan. */
const mayHoldThoughts =
  /<\/?(?:think|reasoning|thought|answer|response|tool_call)|\[\/?THINK\]|◁\/?think▷|<\|(?:START|END|channel|start|end)|^\s*(?:assistant)?analysis|^\s*Here(?:'s|’s| is) my thought/i;

/**
 * Splits thoughts from a text: blocks between known delimiters at its start, or separate blocks around the answer,
 * with nested ones. A closing delimiter without an opening one ends thoughts that began before the text; an unclosed
 * block includes the rest, except complete calls. `<answer>` and response markers are removed, too. A text that is
 * JSON as a whole is the answer, and a delimiter in code, a JSON string or a sentence is text. `isApart`: the
 * endpoint sent the thoughts separately, so a text that does not begin with a delimiter is not changed. Never throws.
 * Linear.
 * Source: docs/spec/extraction.md, section 1, thoughts.
 * @example splitThoughts("<think>2 + 2</think>4") // { answer: "4", thoughts: "2 + 2", calls: [] }
 */
export function splitThoughts(text: string, isApart = false): SplitText {
  if (!mayHoldThoughts.test(text) || isJson(text))
    return { answer: text, thoughts: null, calls: [] };
  const harmony = isApart && !/^\s*<\|/.test(text) ? null : harmonyText(text);
  if (harmony !== null) {
    const { final, thoughts, calls } = harmony;
    const rest = final === null ? null : new Splitter(final, true).split();
    return {
      answer: textOrNull(rest?.answer ?? ""),
      thoughts: joinThoughts([...thoughts, rest?.thoughts ?? ""]),
      calls: [...calls, ...(rest?.calls ?? [])],
    };
  }
  const granite = isApart ? null : graniteParts(text);
  if (granite === null) return new Splitter(text, isApart).split();
  const rest = new Splitter(granite.answer, true).split();
  const thoughts = joinThoughts([granite.thoughts, rest.thoughts ?? ""]);
  return { ...rest, answer: textOrNull(rest.answer ?? ""), thoughts };
}

const graniteThoughts = /^\s*Here(?:'s|’s| is) my thought process:/;
const graniteAnswer = /Here(?:'s|’s| is) my response:/g;

/** The sentences around thoughts of Granite 3: only both together mark thoughts. */
function graniteParts(text: string): { thoughts: string; answer: string } | null {
  const opened = graniteThoughts.exec(text);
  if (opened === null) return null;
  for (const found of text.matchAll(graniteAnswer)) {
    const around = surroundings(text, { start: found.index, end: found.index + found[0].length });
    if (!around.isLineStart && !around.isBehindSentence) continue;
    return {
      thoughts: text.slice(opened[0].length, found.index),
      answer: text.slice(found.index + found[0].length),
    };
  }
  return null;
}
