import { isJsonObject, type Json, type JsonObject } from "../shared/contracts/json.ts";
import { err, ok, type Result } from "../shared/contracts/result.ts";
import { type ApiError, apiError } from "./api-error.ts";
import type { Enforcement } from "./mistakes/mistakes.ts";

/** A parsed chat completion request. */
export interface ParsedChat {
  model: string;
  messages: readonly { role: string; text: string }[];
  /** The text of all user messages, separated by blank lines. */
  userText: string;
  /** Recordings in the messages, base64. */
  audio: readonly string[];
  /** The answer's schema, from any mode. */
  schema: Json | undefined;
  enforcement: Enforcement;
  tools: readonly JsonObject[];
  toolChoice: Json | undefined;
  /** Default 1, as at real endpoints. */
  temperature: number;
  seed: number | null;
  /** Effort of a reasoning model; null: the default. */
  effort: string | null;
  maxTokens: number | null;
  stream: boolean;
  includeUsage: boolean;
  logprobs: boolean;
  /** The original request, for profiles that refuse parts of it. */
  body: JsonObject;
}

/** Parses a chat completion request; errors are OpenAI's. */
export function parseChat(body: unknown): Result<ParsedChat, ApiError> {
  if (!isJsonObject(body)) return err(apiError(400, "The request body must be a JSON object."));
  if (typeof body.model !== "string")
    return err(apiError(400, "you must provide a model parameter"));
  const messages = parseMessages(body.messages);
  if (messages === null) return err(wrongMessages(body.messages));
  const streamOptions = isJsonObject(body.stream_options) ? body.stream_options : {};
  return ok({
    model: body.model,
    messages,
    userText: messages.flatMap((m) => (m.role === "user" ? [m.text] : [])).join("\n\n"),
    audio: audioIn(body.messages),
    ...parseStructured(body),
    tools: Array.isArray(body.tools) ? body.tools.filter(isJsonObject) : [],
    toolChoice: body.tool_choice,
    temperature: numberOr(body.temperature, 1),
    seed: numberOr(body.seed, null),
    effort: typeof body.reasoning_effort === "string" ? body.reasoning_effort : null,
    maxTokens: numberOr(body.max_completion_tokens, numberOr(body.max_tokens, null)),
    stream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    logprobs: body.logprobs === true,
    body,
  });
}

function parseMessages(messages: Json | undefined): ParsedChat["messages"] | null {
  if (!Array.isArray(messages) || messages.length === 0) return null;
  const parsed = messages.map((message) =>
    isJsonObject(message) && typeof message.role === "string"
      ? { role: message.role, text: contentText(message.content) }
      : null,
  );
  return parsed.every((message) => message !== null) ? parsed : null;
}

function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}

function audioIn(messages: Json | undefined): string[] {
  const parts = (Array.isArray(messages) ? messages : []).flatMap((message) =>
    isJsonObject(message) && Array.isArray(message.content) ? message.content : [],
  );
  return parts.flatMap((part) => {
    const audio = isJsonObject(part) && part.type === "input_audio" ? part.input_audio : null;
    return isJsonObject(audio) && typeof audio.data === "string" ? [audio.data] : [];
  });
}

function wrongMessages(messages: Json | undefined): ApiError {
  return messages === undefined
    ? apiError(400, "Missing required parameter: 'messages'.", {
        param: "messages",
        code: "missing_required_parameter",
      })
    : apiError(400, "Invalid 'messages': expected a non-empty array of messages with a role.", {
        param: "messages",
        code: "invalid_type",
      });
}

function parseStructured(body: JsonObject): Pick<ParsedChat, "schema" | "enforcement"> {
  if (body.guided_json !== undefined) return { schema: body.guided_json, enforcement: "schema" };
  if (isJsonObject(body.structured_outputs)) {
    return { schema: body.structured_outputs.json, enforcement: "schema" };
  }
  const format = isJsonObject(body.response_format) ? body.response_format : {};
  if (format.type === "json_object") return { schema: undefined, enforcement: "json" };
  if (format.type !== "json_schema" || !isJsonObject(format.json_schema)) {
    return { schema: undefined, enforcement: "none" };
  }
  const { schema, strict } = format.json_schema;
  return { schema, enforcement: strict === true ? "schema" : "json" };
}

function numberOr<T>(value: Json | undefined, otherwise: T): number | T {
  return typeof value === "number" ? value : otherwise;
}
