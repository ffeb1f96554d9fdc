import type { Answer, ToolCall, TurnStep } from "../../../contracts/answer.ts";
import { boundedJson, cutText } from "../../../contracts/bounds.ts";
import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import { isTooDeep } from "../../../measures/json-output/nesting.ts";
import { joinedCalls } from "../../../measures/performance/joined-calls.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import { readCalls } from "../read.ts";
import { toolFunction } from "../sample-parts.ts";
import type { PredictedCall } from "../score/match-calls.ts";
import { openWorld, type World } from "../world/world.ts";
import type { Conversation } from "./conversation.ts";

export type ToolMode = "native" | "prompt";

/** Maximum characters of a model's text, and of the arguments of a call, in one step. */
const mostText = 20_000;
/** Maximum calls of a step that are run. */
const mostCalls = 64;
/** Text of an empty reply, because some providers refuse a message without text. */
const silent = "(no answer)";
/** Maximum characters of a conversation's answers, after which it ends. */
const mostWhole = 1_000_000;

/**
 * A step of an answer, within bounds: the data that is stored, run and scored.
 * @example stepOf(answer).toolCalls
 */
export function stepOf(answer: Answer): TurnStep {
  const { output, toolCalls } = withoutThoughts(answer);
  const { latencyMs, inputTokens, outputTokens, cachedTokens, reasoningTokens } = answer;
  return {
    output: output && cutText(output, mostText),
    toolCalls: toolCalls?.slice(0, mostCalls).map(boundedCall) ?? null,
    latencyMs,
    inputTokens,
    outputTokens,
    ...(cachedTokens && { cachedTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  };
}

/** Arguments that are too long or nested too deeply become a text that is not JSON. */
function boundedCall({ name, arguments: its }: ToolCall): ToolCall {
  if (typeof its === "object" && isTooDeep(its as Json)) {
    return { name, arguments: "(nested too deep)" };
  }
  const text = JSON.stringify(its) ?? "";
  return { name, arguments: text.length > mostText ? cutText(text, mostText) : its };
}

/**
 * The calls of a step that are run, and the number of further calls.
 * @example callsOf({ ...step, toolCalls: [{ name: "ping", arguments: {} }] }, "native").calls.length // 1
 */
export function callsOf(step: TurnStep, mode: ToolMode) {
  const { calls, leftOut } = readCalls(step, mode);
  return {
    calls: calls.slice(0, mostCalls),
    leftOut: leftOut + Math.max(0, calls.length - mostCalls),
  };
}

/**
 * The result of a call in a world, as text. Without a world nothing is simulated, and the result is only a status.
 * @example resultOf(null, { name: "ping", arguments: {} }) // '{"status":"ok"}'
 */
export function resultOf(world: World | null, { name, arguments: its }: PredictedCall): string {
  if (its === null) return JSON.stringify({ error: "the arguments are not a JSON object" });
  return world === null ? '{"status":"ok"}' : world.call(name, boundedJson(its) as JsonObject);
}

/** A conversation so far. */
export interface Progress {
  messages: ChatMessage[];
  tools: JsonObject[];
  turns: TurnStep[][];
  isOver: boolean;
}

/**
 * Follows a conversation reply by reply: runs calls in its world, sends their results to the model, and starts the next
 * turn after a reply without calls. It ends after the last turn, at the limit of steps, or after a failed request.
 * Source: docs/spec/tools.md, several turns.
 * @example new Follower(conversation, "native", conversation.opening).progress.messages
 */
export class Follower {
  readonly progress: Progress;
  readonly #conversation: Conversation;
  readonly #mode: ToolMode;
  readonly #world: World | null;
  #calls = 0;
  #size = 0;

  /** `opening`: the messages before the first turn, which offer the tools in prompt mode. */
  constructor(conversation: Conversation, mode: ToolMode, opening: readonly ChatMessage[]) {
    const { tools, world } = conversation;
    this.#conversation = conversation;
    this.#mode = mode;
    this.#world = world && openWorld(world);
    this.progress = { messages: [...opening], tools: [...tools], turns: [], isOver: false };
    this.#beginTurn();
  }

  add(answer: Answer): void {
    const { progress } = this;
    const step = stepOf(answer);
    progress.turns.at(-1)!.push(step);
    this.#size += JSON.stringify(step).length;
    const { calls } = callsOf(step, this.#mode);
    const isLong = progress.turns.at(-1)!.length >= this.#conversation.maxSteps;
    if (answer.error !== null || this.#size > mostWhole) progress.isOver = true;
    else if (calls.length > 0 && isLong) progress.isOver = true;
    else if (calls.length > 0) this.#carryOut(step, calls, answer);
    else {
      progress.messages.push({ role: "assistant", content: step.output?.trim() || silent });
      this.#beginTurn();
    }
  }

  #beginTurn(): void {
    const { turns, messages, tools } = this.progress;
    const turn = this.#conversation.turns[turns.length];
    if (turn === undefined) {
      this.progress.isOver = true;
      return;
    }
    const isLater = turns.length > 0 && turn.tools.length > 0;
    turns.push([]);
    tools.push(...turn.tools);
    messages.push(...turn.messages);
    if (isLater && this.#mode === "prompt") {
      messages.push({ role: "user", content: `These functions are new:\n${toolText(turn.tools)}` });
    }
  }

  #carryOut(step: TurnStep, calls: readonly PredictedCall[], { thoughts }: Answer): void {
    const { messages } = this.progress;
    const made = calls.map((call) => {
      this.#calls++;
      // Some providers require nine letters and digits.
      const id = `call${String(this.#calls).padStart(5, "0")}`;
      return { id, name: call.name, arguments: call.arguments ?? {}, call };
    });
    const results = made.map(({ id, name, call }) => ({
      result: { id, name },
      content: resultOf(this.#world, call),
    }));
    if (this.#mode === "prompt") {
      const listed = results.map(({ result: { name }, content }) => ({ name, result: content }));
      messages.push({ role: "assistant", content: step.output ?? "" });
      messages.push({ role: "user", content: `Results of the calls:\n${JSON.stringify(listed)}` });
      return;
    }
    messages.push({
      role: "assistant",
      content: step.output ?? "",
      ...(thoughts !== undefined && { thoughts }),
      calls: made.map(({ call: _, ...one }) => one),
    });
    messages.push(...results.map((one): ChatMessage => ({ role: "tool", ...one })));
  }
}

/**
 * Tools as a text for prompts.
 * @example toolText([{ name: "ping" }])
 */
export const toolText = (tools: readonly JsonObject[]): string =>
  JSON.stringify(tools.map(toolFunction) as Json, null, 1);

/**
 * The answer of a conversation: its last text, its turns, and sums of tokens, times and requests over its replies. It
 * has no time to first byte or token, which would only be about the first reply.
 * @example conversationAnswer(turns, [reply]).turns
 */
export function conversationAnswer(
  turns: TurnStep[][],
  replies: readonly [Answer, ...Answer[]],
): Answer {
  const { firstTokenMs: _, networkMs: __, thoughts: ___, ...last } = replies.at(-1)!;
  const isTimed = replies.every(({ latencyMs }) => latencyMs !== null);
  return {
    ...last,
    ...joinedCalls(replies),
    toolCalls: null,
    turns,
    latencyMs: isTimed ? replies.reduce((sum, { latencyMs }) => sum + latencyMs!, 0) : null,
    firstByteMs: null,
  };
}
