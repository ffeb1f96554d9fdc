import type { Completion } from "./completion.ts";
import type { Draws } from "./draws.ts";
import type { ParsedChat } from "./parse-chat.ts";
import { charactersPerToken, countTokens, splitTokens } from "./tokens.ts";

/** Constant, so that the same request always gets the same bytes. */
const created = 1_767_225_600;

/** Hidden tokens of a reasoning model for each visible one. */
const reasoningTokensPerToken = 2;

/** What a response says beside the completion. */
export interface ResponseFacts {
  request: ParsedChat;
  /** The request's key: ends up in the ids. */
  key: string;
  reasoning: boolean;
  /** Where the model runs, as its name says; null where it does not. */
  source: string | null;
  draws: Draws;
}

/** A completion cut to the request's token limit, and why it ended. */
export interface FinishedCompletion extends Completion {
  finishReason: "stop" | "length" | "tool_calls";
}

/** Cuts a completion to the request's token limit. */
export function finishCompletion(
  completion: Completion,
  maxTokens: number | null,
): FinishedCompletion {
  const limit = (maxTokens ?? Number.POSITIVE_INFINITY) * charactersPerToken;
  if (completion.toolCalls.length > 0) return { ...completion, finishReason: "tool_calls" };
  if (completion.content === null || completion.content.length <= limit) {
    return { ...completion, finishReason: "stop" };
  }
  return { ...completion, content: completion.content.slice(0, limit), finishReason: "length" };
}

/** Tokens by the rule of `countTokens`: all message texts, and all that the model said. */
export function countUsage(completion: Completion, { request, reasoning }: ResponseFacts) {
  const prompt = request.messages.reduce((sum, { text }) => sum + countTokens(text), 0);
  const said = [
    completion.content ?? "",
    completion.refusal ?? "",
    ...completion.toolCalls.map((call) => call.name + call.arguments),
  ];
  const visible = said.reduce((sum, text) => sum + countTokens(text), 0);
  const thought = countTokens(completion.thoughts ?? "");
  const hidden = thought + (reasoning ? visible * reasoningTokensPerToken : 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: visible + hidden,
    total_tokens: prompt + visible + hidden,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: hidden },
  };
}

/** The fields that a response and each chunk of a stream share. */
export function envelope(object: string, { request, key }: ResponseFacts) {
  return {
    id: `chatcmpl-${key}`,
    object,
    created,
    model: request.model,
    system_fingerprint: "simulator",
  };
}

/** The body of an answer that is not streamed. */
export function chatResponse(completion: FinishedCompletion, facts: ResponseFacts): string {
  const { content, refusal, finishReason, thoughts } = completion;
  const calls = toolCalls(completion, facts.key);
  const message = {
    role: "assistant",
    content,
    refusal,
    ...(thoughts !== undefined && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const logprobs = facts.request.logprobs ? tokenLogprobs(completion, facts.draws) : null;
  return JSON.stringify({
    ...envelope("chat.completion", facts),
    choices: [{ index: 0, message, logprobs, finish_reason: finishReason }],
    usage: countUsage(completion, facts),
    ...originOf(completion, facts),
  });
}

/** What OpenAI's API does not have: where the answer came from, and how sure its model is. */
export function originOf({ confidence }: Completion, { source }: ResponseFacts): object {
  return { ...(source !== null && { source }), ...(confidence !== undefined && { confidence }) };
}

/** Tool calls as they stand in a message. */
export function toolCalls(completion: Completion, key: string) {
  return completion.toolCalls.map((call, index) => ({
    id: `call_${key}${index}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
}

/** Log probabilities of the content's tokens; their mean is about log(certainty). */
export function tokenLogprobs(completion: Completion, draws: Draws) {
  const level = 2 * Math.log(completion.certainty);
  const content = splitTokens(completion.content ?? "").map((token) => ({
    token,
    logprob: level * draws.unit(),
    bytes: [...Buffer.from(token)],
    top_logprobs: [],
  }));
  return { content, refusal: null };
}
