import { type Answer, emptyAnswer } from "../../contracts/answer.ts";
import type { ChatMessage, ChatRequest } from "../../contracts/chat-request.ts";
import type { JsonObject } from "../../contracts/json.ts";
import type { Step, UnitTask } from "../../contracts/runs/unit.ts";
import { hybridAnswer, isLocalKept } from "../../measures/hybrid.ts";
import type { ToolsOptions } from "./options.ts";
import type { ToolsSample } from "./sample.ts";
import { toolFunction } from "./sample-parts.ts";
import type { Conversation } from "./turns/conversation.ts";
import { conversationAnswer, Follower, toolText } from "./turns/follow.ts";

/**
 * One request per sample; as many as needed for a sample with several turns. For a hybrid target the local endpoint is
 * asked first, then the cloud if the local answer is not kept; with `hybridSweep` both are asked.
 * Source: docs/spec/tools.md, data; source and hybrid routing.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(task: UnitTask<ToolsSample, ToolsOptions>, replies: readonly Answer[]): Step {
  const { samples, options, hybrid } = task;
  const [first, second] = replies;
  const { conversation } = samples[0]!;
  if (conversation) return nextInTurns(task, conversation, replies);
  const request = requestOf(samples[0]!, options);
  if (!hybrid) {
    return first ? { kind: "done", answers: [first] } : { kind: "ask", request };
  }
  const ask = { kind: "ask", isLong: false } as const;
  if (!first) return { ...ask, to: "local", request: { ...request, logprobs: true } };
  const wantsCloud = options.hybridSweep || !isLocalKept(first, hybrid.confidenceThreshold);
  if (!second && wantsCloud) return { ...ask, to: "cloud", request };
  return { kind: "done", answers: [hybridAnswer(first, second ?? null, hybrid)] };
}

/** Caches the follower of a list of replies, so that a conversation is not replayed for each new reply. */
const followed = new WeakMap<readonly Answer[], { follower: Follower; count: number }>();

function nextInTurns(
  { samples, options, hybrid }: UnitTask<ToolsSample, ToolsOptions>,
  conversation: Conversation,
  replies: readonly Answer[],
): Step {
  if (hybrid)
    return { kind: "done", answers: samples.map(() => ({ ...emptyAnswer, error: routed })) };
  const known = followed.get(replies);
  const follower = known?.follower ?? followerOf(conversation, options);
  for (const reply of replies.slice(known?.count ?? 0)) follower.add(reply);
  followed.set(replies, { follower, count: replies.length });
  const [first, ...others] = replies;
  const { messages, tools, turns, isOver } = follower.progress;
  if (isOver && first) {
    return { kind: "done", answers: [conversationAnswer(turns, [first, ...others])] };
  }
  return { kind: "ask", isLong: true, request: asked([...messages], tools, options) };
}

const routed = {
  class: "bad_request",
  message:
    "a hybrid target can't answer a sample of several turns: its endpoints would share one world",
} as const;

function followerOf(conversation: Conversation, { toolMode, toolPrompt }: ToolsOptions): Follower {
  const { opening, tools } = conversation;
  if (toolMode === "native") return new Follower(conversation, toolMode, opening);
  return new Follower(conversation, toolMode, withSystem(opening, offering(toolPrompt, tools)));
}

const offering = (prompt: string, tools: readonly JsonObject[]): string =>
  prompt.replace("{tools}", () => toolText(tools));

function requestOf({ messages, tools }: ToolsSample, options: ToolsOptions): ChatRequest {
  if (options.toolMode === "native") return asked(messages, tools, options);
  return asked(withSystem(messages, offering(options.toolPrompt, tools)), tools, options);
}

function asked(
  messages: ChatMessage[],
  tools: readonly JsonObject[],
  { temperature, maxTokens, toolMode }: ToolsOptions,
): ChatRequest {
  const functions = toolMode === "native" ? tools.map(toolFunction) : [];
  // Endpoints refuse an empty list.
  const wrapped = functions.map((one): JsonObject => ({ type: "function", function: one }));
  return { messages, temperature, maxTokens, ...(wrapped.length > 0 && { tools: wrapped }) };
}

/** Merged with the conversation's own system message, because some templates accept only one. */
function withSystem(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ role: "system", content: `${first.content}\n\n${text}` }, ...rest];
}
