import type { Draws } from "./draws.ts";
import type { MistakeKind } from "./mistakes/mistakes.ts";
import type { ParsedChat } from "./parse-chat.ts";

/** Tokens at the beginning of a prompt that a provider's cache holds, in steps. */
const cachedBy = 128;

/** Constant, so that equal requests get equal bytes. */
const created = 1_767_225_600;

/** Fields of a response besides the completion. */
export interface ResponseFacts {
  request: ParsedChat;
  /** The request's key, which the ids contain. */
  key: string;
  /** Hidden tokens per visible token. */
  hiddenPerToken: number;
  /** Where the model runs, if its name says so; otherwise null. */
  source: string | null;
  draws: Draws;
}

/** A completion truncated to the token limit, and its finish reason. */
export interface FinishedCompletion extends Completion {
  finishReason: "stop" | "length" | "tool_calls";
}

/** Truncates a completion to the request's token limit. */
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

/** Tokens by `countTokens`: all message texts, and everything that the model wrote. */
export function countUsage(completion: Completion, { request, hiddenPerToken }: ResponseFacts) {
  const begin = request.messages[0]?.role === "system" ? request.messages[0].text : "";
  const prompt = request.messages.reduce((sum, { text }) => sum + countTokens(text), 0);
  const parts = [
    completion.content ?? "",
    completion.refusal ?? "",
    ...completion.toolCalls.map((call) => call.name + call.arguments),
  ];
  const visible = parts.reduce((sum, text) => sum + countTokens(text), 0);
  const thought = countTokens(completion.thoughts ?? "");
  const hidden = thought + Math.round(visible * hiddenPerToken);
  return {
    prompt_tokens: prompt,
    completion_tokens: visible + hidden,
    total_tokens: prompt + visible + hidden,
    prompt_tokens_details: {
      cached_tokens: Math.floor(countTokens(begin) / cachedBy) * cachedBy,
    },
    completion_tokens_details: { reasoning_tokens: hidden },
  };
}

/** Fields shared by a response and each chunk of a stream. */
function envelope(object: string, { request, key }: ResponseFacts) {
  return {
    id: `chatcmpl-${key}`,
    object,
    created,
    model: request.model,
    system_fingerprint: "simulator",
  };
}

/** The body of a reply without streaming. */
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

/** Fields that OpenAI's API does not have: source of the answer, and confidence. */
function originOf({ confidence }: Completion, { source }: ResponseFacts): object {
  return { ...(source !== null && { source }), ...(confidence !== undefined && { confidence }) };
}

/** Tool calls in the message format. */
function toolCalls(completion: Completion, key: string) {
  return completion.toolCalls.map((call, index) => ({
    id: `call_${key}${index}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
}

/** Log probabilities of the content's tokens; their mean is about log(certainty). */
function tokenLogprobs(completion: Completion, draws: Draws) {
  const level = 2 * Math.log(completion.certainty);
  const content = splitTokens(completion.content ?? "", charactersPerToken).map((token) => ({
    token,
    logprob: level * draws.unit(),
    bytes: [...Buffer.from(token)],
    top_logprobs: [],
  }));
  return { content, refusal: null };
}

/** What a simulated model answers, before it is formatted. */
export interface Completion {
  content: string | null;
  refusal: string | null;
  /** Thoughts, sent apart from the content; missing for models without. */
  thoughts?: string;
  toolCalls: readonly { name: string; arguments: string }[];
  /** Mistakes made, for the request log. */
  mistakes: readonly MistakeKind[];
  /** Certainty of the model, 0–1: the mean of its token probabilities. */
  certainty: number;
  /** The model's own estimate that the answer is right, 0–1; missing for models without. */
  confidence?: number;
}

/** A completion of plain text without a mistake. */
export function textCompletion(content: string): Completion {
  return { content, refusal: null, toolCalls: [], mistakes: [], certainty: 0.95 };
}

/** Characters per chunk: four tokens, so a page of text has about fifty chunks. */
const chunkCharacters = 16;

/** The server-sent events of a streamed answer, in order. */
export function chatStream(completion: FinishedCompletion, facts: ResponseFacts): string[] {
  const base = envelope("chat.completion.chunk", facts);
  const usage = facts.request.includeUsage ? { usage: null } : {};
  const event = (delta: object, finish: string | null = null, logprobs: object | null = null) => {
    const origin = finish === null ? {} : originOf(completion, facts);
    const choices = [{ index: 0, delta, logprobs, finish_reason: finish }];
    return sse({ ...base, choices, ...usage, ...origin });
  };
  const events = [
    event({
      role: "assistant",
      content: completion.toolCalls.length > 0 ? null : "",
      refusal: null,
    }),
    ...splitTokens(completion.thoughts ?? "").map((thought) =>
      event({ reasoning_content: thought }),
    ),
    ...contentDeltas(completion, facts).map(({ delta, logprobs }) => event(delta, null, logprobs)),
    ...toolDeltas(completion, facts.key).map((delta) => event(delta)),
    event({}, completion.finishReason),
  ];
  if (facts.request.includeUsage) {
    events.push(sse({ ...base, choices: [], usage: countUsage(completion, facts) }));
  }
  return [...events, "data: [DONE]\n\n"];
}

/** A server-sent event, named by its type if it has one. */
export function sse(data: object): string {
  const name = "type" in data ? `event: ${data.type}\n` : "";
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

function contentDeltas(completion: FinishedCompletion, { request, draws }: ResponseFacts) {
  if (completion.refusal !== null) {
    return splitTokens(completion.refusal).map((refusal) => ({
      delta: { refusal },
      logprobs: null,
    }));
  }
  return splitTokens(completion.content ?? "").map((content) => ({
    delta: { content },
    logprobs: request.logprobs ? tokenLogprobs({ ...completion, content }, draws) : null,
  }));
}

/** The name of each call first, then its arguments in pieces, as OpenAI streams them. */
function toolDeltas(completion: FinishedCompletion, key: string): object[] {
  return toolCalls(completion, key).flatMap((call, index) => [
    { tool_calls: [{ index, ...call, function: { ...call.function, arguments: "" } }] },
    ...splitTokens(call.function.arguments).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
}

/** Characters (UTF-16 code units) that count as one token. */
const charactersPerToken = 4;

/**
 * Number of tokens of a text: a quarter of its characters, rounded up.
 * @example countTokens("hello") // 2
 */
export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Splits a text into pieces; empty for the empty text. */
export function splitTokens(text: string, size = chunkCharacters): string[] {
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}
