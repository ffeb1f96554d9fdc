import type { TurnStep } from "../../../contracts/answer.ts";
import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { ReportBlock } from "../../../contracts/report.ts";
import { shortText, shownTable, shownText } from "../../../measures/report/show/shown-text.ts";
import type { Conversation } from "../turns/conversation.ts";
import { callsOf, resultOf, type ToolMode } from "../turns/follow.ts";
import type { TurnFailure, TurnScore } from "../turns/score-turns.ts";
import { openWorld, type World } from "../world/world.ts";

/** Maximum turns shown as text, characters of each turn, and of a call or result. */
const mostTurns = 12;
const mostText = 3_000;
const mostPart = 300;

/**
 * Why a turn is not right, for readers.
 * @example turnWords.state // "wrong state"
 */
export const turnWords: Readonly<Record<TurnFailure, string>> = {
  steps: "step limit",
  ended: "not reached, or cut off",
  empty: "no call",
  state: "wrong state",
  results: "a result is missing",
  calls: "calls do not match",
};

/**
 * The turns of a conversation: verdict, time and tokens of each, then each as text, with the calls and their results,
 * which are computed again.
 * @example turnBlocks(conversation, answer.turns, turns, "native")[0]?.title // "Turns"
 */
export function turnBlocks(
  { turns, world: spec }: Conversation,
  given: readonly TurnStep[][],
  scores: readonly TurnScore[],
  mode: ToolMode,
): ReportBlock[] {
  const world = spec && openWorld(spec);
  const rows = scores.map(({ failure, f1, steps, ...took }, i) => ({
    turn: i + 1,
    verdict: failure === null ? "right" : turnWords[failure],
    f1,
    steps,
    ms: took.latencyMs,
    input: took.inputTokens,
    output: took.outputTokens,
  }));
  const texts = turns.slice(0, mostTurns).map(({ messages }, i) => {
    const said = given[i]?.map((step) => stepText(step, mode, world)) ?? [];
    return shownText(`Turn ${i + 1}`, [...messages.map(messageText), ...said].join("\n"), {
      most: mostText,
    });
  });
  return [
    ...shownTable(
      "Turns",
      [
        ["turn", "Turn", "count"],
        ["verdict", "Outcome", "text"],
        ["f1", "Call F1", "score"],
        ["steps", "Requests", "count"],
        ["ms", "Latency", "ms"],
        ["input", "Input tokens", "count"],
        ["output", "Output tokens", "count"],
      ],
      rows,
    ),
    ...texts,
  ];
}

const messageText = ({ role, content }: ChatMessage): string => `${role}: ${content}`;

/** Text, calls and results of a step. Changes the world. */
function stepText(step: TurnStep, mode: ToolMode, world: World | null): string {
  const { calls, leftOut } = callsOf(step, mode);
  const lines = calls.map((call) => {
    const its = call.arguments === null ? "(not a JSON object)" : JSON.stringify(call.arguments);
    const result = shortText(resultOf(world, call), mostPart);
    return `call ${call.name}(${shortText(its, mostPart)}) → ${result}`;
  });
  if (leftOut > 0) lines.push(`${leftOut} more calls were not carried out`);
  const isText = mode === "native" || calls.length === 0;
  const said = isText && step.output?.trim() ? [`assistant: ${step.output}`] : [];
  return [...said, ...lines].join("\n") || "assistant: (no answer)";
}
