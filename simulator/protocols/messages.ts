import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { type ApiError, openaiError, type SentError } from "../api-error.ts";
import {
  countUsage,
  type FinishedCompletion,
  type ResponseFacts,
  splitTokens,
  sse,
} from "../chat-response.ts";
import { argumentsOf, type Dialect, fieldsOf, functionTool, listOf } from "./dialect.ts";

/** Anthropic's Messages. */
export const messagesDialect: Dialect = {
  toChat,
  reply: (completion, facts) => JSON.stringify(messageOf(completion, facts)),
  stream(completion, facts) {
    const message = messageOf(completion, facts);
    const { content, stop_reason, stop_details, usage } = message;
    return [
      sse({ type: "message_start", message: { ...message, content: [], stop_reason: null } }),
      ...content.flatMap(blockEvents),
      sse({ type: "message_delta", delta: { stop_reason, stop_details }, usage }),
      sse({ type: "message_stop" }),
    ];
  },
  error: errorOf,
};

/** Types of errors by status. Source: https://platform.claude.com/docs/en/api/errors */
const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function errorOf(error: ApiError): SentError {
  const { status, body } = error;
  const type = errorTypes[status] ?? "api_error";
  const message = status === 401 ? "invalid x-api-key" : body.error.message;
  return { ...openaiError(error), body: { type: "error", error: { type, message } } };
}

/** The list of models. Source: https://platform.claude.com/docs/en/api/models-list */
export const messagesModels = (models: readonly { id: string }[]): object => ({
  data: models.map(({ id }) => ({
    type: "model",
    id,
    display_name: id,
    created_at: "2026-01-01T00:00:00Z",
  })),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
});

function toChat(given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  const { system, messages, tools, max_tokens: most, output_config, thinking, ...rest } = given;
  const { format, effort } = fieldsOf(output_config);
  const asked = effort ?? effortOf(fieldsOf(thinking));
  const before = system === undefined ? [] : [{ role: "system", content: system }];
  return {
    ...rest,
    messages: Array.isArray(messages) ? [...before, ...messages] : null,
    ...(Array.isArray(tools) && {
      tools: listOf(tools).map(({ input_schema: parameters = {}, ...rest }) =>
        functionTool({ ...rest, parameters }),
      ),
    }),
    ...(format !== undefined && {
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", schema: fieldsOf(format)["schema"] ?? {}, strict: true },
      },
    }),
    ...(most !== undefined && { max_completion_tokens: most }),
    ...(asked !== undefined && { reasoning_effort: asked }),
  };
}

/** Converts a thinking budget in tokens to an effort. */
function effortOf({ type, budget_tokens: budget }: JsonObject): string | undefined {
  if (type === "disabled") return "none";
  if (typeof budget !== "number") return undefined;
  return budget < 2_048 ? "low" : budget < 8_192 ? "medium" : "high";
}

function messageOf(completion: FinishedCompletion, facts: ResponseFacts) {
  const { content, refusal, thoughts, toolCalls, finishReason } = completion;
  const { prompt_tokens: prompt, ...usage } = countUsage(completion, facts);
  const cached = usage.prompt_tokens_details.cached_tokens;
  const blocks: JsonObject[] = [
    ...(thoughts === undefined ? [] : [{ type: "thinking", thinking: thoughts, signature: "" }]),
    ...(content === null || refusal !== null ? [] : [{ type: "text", text: content }]),
    ...toolCalls.map((call, i) => ({
      type: "tool_use",
      id: `toolu_${facts.key}${i}`,
      name: call.name,
      input: argumentsOf(call.arguments),
    })),
  ];
  const stops = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" };
  return {
    id: `msg_${facts.key}`,
    type: "message",
    role: "assistant",
    model: facts.request.model,
    content: blocks,
    stop_reason: refusal === null ? stops[finishReason] : "refusal",
    stop_details: refusal === null ? null : { type: "refusal", explanation: refusal },
    usage: {
      input_tokens: prompt - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: usage.completion_tokens,
    },
  };
}

function blockEvents(block: JsonObject, index: number): string[] {
  const { type } = block;
  const [field, kind] =
    type === "text"
      ? ["text", "text_delta"]
      : type === "thinking"
        ? ["thinking", "thinking_delta"]
        : ["input", "input_json_delta"];
  const whole = block[field];
  const text = typeof whole === "string" ? whole : JSON.stringify(whole);
  const name = kind === "input_json_delta" ? "partial_json" : field;
  return [
    sse({
      type: "content_block_start",
      index,
      content_block: { ...block, [field]: field === "input" ? {} : "" },
    }),
    ...splitTokens(text).map((piece) =>
      sse({ type: "content_block_delta", index, delta: { type: kind, [name]: piece } }),
    ),
    sse({ type: "content_block_stop", index }),
  ];
}
