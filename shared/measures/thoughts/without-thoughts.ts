import type { Answer, HybridSide } from "../../contracts/answer.ts";
import { splitThoughts } from "./split-thoughts.ts";

/**
 * An answer as it is scored: `output` is the answer without thoughts, null where there are thoughts alone,
 * `thoughts` all of them, those that the endpoint sent apart first. Calls that the model wrote out in its own format
 * become its tool calls, unless it has some. Of a hybrid target each side is read the same way. An answer without
 * thoughts is given back as it is; one that was read is read the same again. Never throws. Linear.
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
 * Whether the model thought: a text holds thoughts, or the endpoint counted tokens of reasoning.
 * @example hasThoughts({ ...emptyAnswer, output: "<think></think>4" }) // false
 */
export function hasThoughts(answer: Answer): boolean {
  const { thoughts = "" } = withoutThoughts(answer);
  return thoughts.trim() !== "" || (answer.reasoningTokens ?? 0) > 0;
}
