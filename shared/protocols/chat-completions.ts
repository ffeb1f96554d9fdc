import type { StructuredMode } from "../contracts/answer.ts";
import type { ChatMessage, ChatRequest } from "../contracts/chat-request.ts";
import { isJsonObject, type Json, type JsonObject } from "../contracts/json.ts";
import type { Effort } from "../contracts/submissions/inference-settings.ts";
import {
  isDeepSeek,
  isKnownHost,
  isMistral,
  isOpenRouter,
} from "../contracts/submissions/providers.ts";
import { CompletionParts, errorIn } from "./completion-parts.ts";
import { type Asked, givenFields, type Protocol, thoughtRoom } from "./protocol.ts";
import { readCompletion } from "./read-completion.ts";
import { ReportedError } from "./reply-errors.ts";

/** OpenAI's Chat Completions, which most providers and servers support. */
export const chatCompletions: Protocol = {
  path: () => "/chat/completions",
  headers: {},
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  lacks: [],
  body: chatBody,
  room: (endpoint) => roomAt(endpoint),
  ladder: ["json_schema_strict", "json_schema", "json_object", "none"],
  read(body, source) {
    throwError(body);
    return readCompletion(body, source);
  },
  parts: () => new CompletionParts(),
};

/** Some gateways pass on an error as the whole body with status 200. */
function throwError(data: unknown): void {
  if (!isJsonObject(data)) return;
  const { choices, error, object } = data;
  const [choice] = Array.isArray(choices) ? choices : [];
  const reported = isJsonObject(choice) ? errorIn(choice) : null;
  if (reported) throw new ReportedError(reported, readCompletion(data, null));
  if (choice !== undefined) return;
  // vLLM's errors are the body itself, not an `error` object in it.
  if (object === "error") throw new ReportedError(data);
  if (error == null) return;
  throw new ReportedError(isJsonObject(error) ? error : { message: String(error) });
}

function chatBody({ endpoint, request, mode, refused, streams }: Asked): JsonObject {
  const fields = {
    temperature: request.temperature ?? undefined,
    top_p: request.topP,
    [limitParam(endpoint, refused)]: request.maxTokens && request.maxTokens + roomAt(endpoint),
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    [isMistral(endpoint.baseUrl) ? "random_seed" : "seed"]: request.seed,
    logprobs: request.logprobs || undefined,
    tools: request.tools,
    tool_choice: request.toolChoice,
  };
  return {
    model: endpoint.model,
    messages: messagesOf(request, endpoint),
    ...givenFields(thinkingFields(endpoint), refused),
    ...givenFields(fields, refused),
    ...(request.structured ? modeFields(mode, request.structured) : {}),
    ...(request.structured && isOpenRouter(endpoint.baseUrl) && routed(endpoint, mode)),
    ...(streams && { stream: true, stream_options: { include_usage: true } }),
    ...(request.sample && { sample: { ...request.sample } }),
  };
}

/** Excludes OpenRouter's providers that ignore a schema. */
function routed({ settings }: Asked["endpoint"], mode: StructuredMode): JsonObject {
  const own = (settings?.extraBody as JsonObject | undefined)?.["provider"] ?? {};
  if (!mode.startsWith("json_schema") || !isJsonObject(own)) return {};
  return { provider: { require_parameters: true, ...own } };
}

/** An endpoint that refuses one name of the limit may accept the other. */
function limitParam({ maxTokensParam }: Asked["endpoint"], refused: ReadonlySet<string>): string {
  const other = maxTokensParam === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return refused.has(maxTokensParam) ? other : maxTokensParam;
}

/** Self-hosted servers may refuse limits beyond their context: there, only a given budget is added to the limit. */
const roomAt: Protocol["room"] = ({ baseUrl, settings }) =>
  isKnownHost(baseUrl) ? thoughtRoom({ settings }) : (settings?.thinkingBudget ?? 0);

/** OpenRouter has one object for effort and budget. The submission's extra fields come last, so they take precedence. */
function thinkingFields({ baseUrl, settings = {} }: Asked["endpoint"]): JsonObject {
  const { reasoningEffort, thinkingBudget: budget, extraBody } = settings;
  const effort = budget === 0 ? "none" : reasoningEffort;
  const own = isOpenRouter(baseUrl)
    ? {
        ...(effort !== undefined && { reasoning: { effort } }),
        ...(budget && { reasoning: { max_tokens: budget } }),
      }
    : { ...(effort !== undefined && { reasoning_effort: effort }) };
  return { ...own, ...switchOf(baseUrl, effort), ...(extraBody as JsonObject) };
}

/** DeepSeek and chat templates on vLLM, SGLang and llama.cpp have a switch for thoughts in addition to the effort. */
function switchOf(baseUrl: string, effort: Effort | undefined): JsonObject {
  if (isDeepSeek(baseUrl) && effort !== undefined)
    return { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
  const isOff = effort === "none" && !isKnownHost(baseUrl);
  return isOff ? { chat_template_kwargs: { enable_thinking: false } } : {};
}

/** A recording goes into the last message, after its text. */
function messagesOf({ messages, audio }: ChatRequest, endpoint: Asked["endpoint"]): Json[] {
  return messages.map((message, i) => {
    const { role, content } = message;
    if (audio === undefined || i < messages.length - 1) return messageOf(message, endpoint);
    const recording = { type: "input_audio", input_audio: { ...audio } };
    return { role, content: [{ type: "text", text: content }, recording] };
  });
}

/** DeepSeek refuses calls without the thoughts before them. */
function messageOf(
  { role, content, calls, result, thoughts }: ChatMessage,
  { baseUrl }: Asked["endpoint"],
): JsonObject {
  if (result !== undefined) return { role, tool_call_id: result.id, content };
  if (calls === undefined) return { role, content };
  return {
    role,
    content: content === "" ? null : content,
    ...(thoughts !== undefined && isDeepSeek(baseUrl) && { reasoning_content: thoughts }),
    tool_calls: calls.map(({ id, name, arguments: its }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(its) },
    })),
  };
}

/** Request fields that enforce a schema, by mode. */
export function modeFields(
  mode: StructuredMode,
  { name, schema }: NonNullable<ChatRequest["structured"]>,
): JsonObject {
  switch (mode) {
    case "json_schema_strict":
    case "json_schema": {
      const strict = mode === "json_schema_strict";
      return { response_format: { type: "json_schema", json_schema: { name, schema, strict } } };
    }
    case "structured_outputs":
      return { structured_outputs: { json: schema } };
    case "guided_json":
      return { guided_json: schema };
    case "json_object":
      return { response_format: { type: "json_object" } };
    case "none":
      return {};
  }
}
