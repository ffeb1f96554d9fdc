import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import { type ApiError, openaiError, type SentError } from "../api-error.ts";
import {
  countUsage,
  type FinishedCompletion,
  type ResponseFacts,
  splitTokens,
  sse,
} from "../chat-response.ts";
import { type Dialect, fieldsOf, functionTool, listOf } from "./dialect.ts";

/** OpenAI's Responses. */
export const responsesDialect: Dialect = {
  toChat,
  reply: (completion, facts) => JSON.stringify(responseOf(completion, facts)),
  stream(completion, facts) {
    const response = responseOf(completion, facts);
    const { content, refusal, thoughts = "", toolCalls } = completion;
    const pieces = (type: string, text: string) =>
      splitTokens(text).map((delta) => sse({ type: `response.${type}.delta`, delta }));
    return [
      sse({
        type: "response.created",
        response: { ...response, status: "in_progress", output: [] },
      }),
      ...pieces("reasoning_text", thoughts),
      ...pieces("output_text", refusal === null ? (content ?? "") : ""),
      ...pieces("refusal", refusal ?? ""),
      ...toolCalls.flatMap((call) => pieces("function_call_arguments", call.arguments)),
      sse({
        type: response.status === "incomplete" ? "response.incomplete" : "response.completed",
        response,
      }),
    ];
  },
  error: errorOf,
};

/** An unknown model is a bad request (400). Within a stream, the event has the error's fields. */
function errorOf(error: ApiError): SentError {
  const { type: _, ...fields } = error.body.error;
  const isUnknown = fields.code === "model_not_found";
  const event = { type: "error", ...fields, code: fields.code ?? error.body.error.type };
  return { ...openaiError(error), ...(isUnknown && { status: 400 }), event };
}

function toChat(given: unknown): unknown {
  if (!isJsonObject(given)) return given;
  const { input, tools, text, max_output_tokens: most, reasoning, include, ...rest } = given;
  const format = fieldsOf(fieldsOf(text)["format"]);
  const { type = null, ...schema } = format;
  return {
    ...rest,
    messages: typeof input === "string" ? [{ role: "user", content: input }] : (input ?? null),
    ...(Array.isArray(tools) && { tools: listOf(tools).map(functionTool) }),
    ...(type === "json_schema" && { response_format: { type, json_schema: schema } }),
    ...(type === "json_object" && { response_format: { type } }),
    ...(most !== undefined && { max_completion_tokens: most }),
    ...(reasoning !== undefined && { reasoning_effort: fieldsOf(reasoning)["effort"] ?? null }),
    ...(listOf(include).length > 0 && { logprobs: true }),
  };
}

function responseOf(completion: FinishedCompletion, facts: ResponseFacts) {
  const { content, refusal, thoughts, toolCalls, finishReason } = completion;
  const usage = countUsage(completion, facts);
  const part: JsonObject =
    refusal === null ? { type: "output_text", text: content ?? "" } : { type: "refusal", refusal };
  const output: Json[] = [
    ...(thoughts === undefined
      ? []
      : [
          { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: thoughts }] },
        ]),
    ...(content === null && refusal === null
      ? []
      : [{ type: "message", role: "assistant", content: [part] }]),
    ...toolCalls.map((call, i) => ({
      type: "function_call",
      call_id: `call_${facts.key}${i}`,
      ...call,
    })),
  ];
  const isCut = finishReason === "length";
  return {
    id: `resp_${facts.key}`,
    object: "response",
    model: facts.request.model,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    error: null,
    output,
    usage: {
      input_tokens: usage.prompt_tokens,
      input_tokens_details: usage.prompt_tokens_details,
      output_tokens: usage.completion_tokens,
      output_tokens_details: usage.completion_tokens_details,
      total_tokens: usage.total_tokens,
    },
  };
}
