import { z } from "zod";
import { type Answer, emptyAnswer } from "../contracts/answer.ts";
import type { ChatMessage, ChatRequest } from "../contracts/chat-request.ts";
import { isJsonObject, type Json, type JsonObject } from "../contracts/json.ts";
import type { InferenceSettings } from "../contracts/submissions/inference-settings.ts";
import { finishReasonOf } from "./finish-reason.ts";
import {
  type Asked,
  functionsOf,
  givenFields,
  type PartKind,
  type Protocol,
  type StreamParts,
  thoughtRoom,
} from "./protocol.ts";
import { count, optionalText } from "./read-completion.ts";
import { ReportedError, StreamSize, UnwritableError } from "./reply-errors.ts";
import { toolCalls } from "./tool-calls.ts";

/** Sent if a run sets no limit, because the interface requires one. */
const MOST_TOKENS = 16_384;

/** Anthropic's Messages. Its OpenAI-compatible interface enforces no schema and returns no thoughts. */
export const messages: Protocol = {
  path: () => "/messages",
  headers: { "anthropic-version": "2023-06-01" },
  keyHeaders: (key) => ({ "x-api-key": key }),
  lacks: ["presencePenalty", "frequencyPenalty", "seed", "logprobs"],
  body: messagesBody,
  room: thoughtRoom,
  ladder: ["json_schema_strict", "none"],
  read: readMessage,
  parts: () => new MessageParts(),
};

function messagesBody({ endpoint, request, mode, refused, streams }: Asked): JsonObject {
  const { structured } = request;
  if (request.audio !== undefined)
    throw new UnwritableError("Anthropic's Messages takes no recordings");
  const isSchema = mode.startsWith("json_schema");
  if (!isSchema && mode !== "none")
    throw new UnwritableError(`Anthropic's Messages has no mode ${mode}`);
  const system = request.messages.filter(({ role }) => role === "system");
  const { settings = {} } = endpoint;
  const { reasoningEffort: effort, extraBody } = settings;
  const config = {
    ...(isSchema && structured && { format: { type: "json_schema", schema: structured.schema } }),
    ...(effort !== undefined && effort !== "none" && { effort }),
  };
  const thinking = thinkingOf(settings, refused);
  const isThinking = thinking !== undefined && thinking["type"] !== "disabled";
  const fields = {
    system: system.map(({ content }) => content).join("\n\n") || undefined,
    // A model that thinks accepts only the default temperature.
    temperature: isThinking ? undefined : (request.temperature ?? undefined),
    top_p: request.topP,
    tools: toolsOf(request),
    tool_choice: request.toolChoice && {
      type: request.toolChoice === "required" ? "any" : "auto",
    },
    output_config: Object.keys(config).length > 0 ? config : undefined,
    thinking,
  };
  return {
    model: endpoint.model,
    max_tokens: (request.maxTokens ?? MOST_TOKENS) + thoughtRoom(endpoint),
    messages: turnsOf(request.messages),
    ...(extraBody as JsonObject),
    ...givenFields(fields, refused),
    ...(streams && { stream: true }),
  };
}

/** The results of all calls of an answer must be in one message. */
function turnsOf(messages: readonly ChatMessage[]): Json[] {
  const said = messages.filter(({ role }) => role !== "system");
  return said.flatMap((message, i): Json[] => {
    const { role, result } = message;
    if (result === undefined) {
      return [{ role: role === "assistant" ? role : "user", content: contentOf(message) }];
    }
    if (said[i - 1]?.result !== undefined) return [];
    const end = said.findIndex((one, k) => k > i && one.result === undefined);
    const results = said.slice(i, end < 0 ? undefined : end);
    return [{ role: "user", content: results.map(resultBlock) }];
  });
}

const resultBlock = ({ content, result }: ChatMessage): JsonObject => ({
  type: "tool_result",
  tool_use_id: result!.id,
  content,
});

/** A plain text; blocks if there are calls. */
function contentOf({ content, calls }: ChatMessage): Json {
  if (calls === undefined) return content;
  const said = content.trim() === "" ? [] : [{ type: "text", text: content }];
  const uses = calls.map(({ id, name, arguments: input }) => ({
    type: "tool_use",
    id,
    name,
    input,
  }));
  return [...said, ...uses];
}

const toolsOf = (request: ChatRequest) =>
  functionsOf(request)?.map(({ name, description, parameters }) => ({
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: "object" },
  }));

/**
 * Before Opus 5, an effort alone does not make a model think; since Opus 4.7, thoughts are returned only on request.
 * Models before 4.6 refuse adaptive thinking: the request is then sent with the effort alone.
 * Source: platform.claude.com, adaptive thinking and effort.
 */
function thinkingOf(
  { reasoningEffort: effort, thinkingBudget: budget, extraBody = {} }: InferenceSettings,
  refused: ReadonlySet<string>,
): JsonObject | undefined {
  if ("thinking" in extraBody) return extraBody["thinking"] as JsonObject;
  if (effort === "none" || budget === 0) return { type: "disabled" };
  if (budget !== undefined) return { type: "enabled", budget_tokens: budget };
  if (effort === undefined || refused.has("thinking")) return undefined;
  return { type: "adaptive", display: "summarized" };
}

const blockSchema = z.looseObject({
  type: z.string(),
  text: optionalText,
  thinking: optionalText,
  name: optionalText,
  input: z.unknown().optional(),
});

const messageSchema = z.looseObject({
  model: z.string().optional().catch(undefined),
  content: z.array(blockSchema),
  stop_reason: optionalText,
  stop_details: z.looseObject({ explanation: optionalText }).nullish().catch(null),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      output_tokens_details: z.object({ thinking_tokens: count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

function readMessage(body: unknown, source: string | null): Answer | null {
  if (isJsonObject(body) && isJsonObject(body["error"] ?? null)) {
    throw new ReportedError(body["error"] as JsonObject);
  }
  const { data } = messageSchema.safeParse(body);
  if (data === undefined) return null;
  const { content, usage, model, stop_reason: stop, stop_details: details } = data;
  const said = content.filter(({ type }) => type === "text");
  const calls = content.filter(({ type, name }) => type === "tool_use" && name);
  const thoughts = content.map(({ thinking }) => thinking ?? "").filter(Boolean);
  const areHidden = thoughts.length === 0 && content.some(({ type }) => /thinking$/.test(type));
  return {
    ...emptyAnswer,
    ...(model !== undefined && { servedModel: model }),
    output: said.length > 0 ? said.map(({ text }) => text ?? "").join("") : null,
    ...(thoughts.length > 0 && { thoughts: thoughts.join("\n\n") }),
    ...(areHidden && { thoughtsHidden: true as const }),
    refusal:
      stop === "refusal"
        ? (details?.explanation ?? "the model's provider refused the answer")
        : null,
    toolCalls: toolCalls(calls.map((call) => ({ name: call.name!, arguments: call.input }))),
    finishReason: stop == null ? null : finishReasonOf(stop),
    ...tokensOf(usage),
    source: source,
  };
}

/** Tokens read from or written to a cache are not included in `input_tokens`. */
function tokensOf(usage: z.infer<typeof messageSchema>["usage"]) {
  const { input_tokens: given = null, cache_read_input_tokens: cachedTokens } = usage ?? {};
  const written = usage?.cache_creation_input_tokens ?? 0;
  const reasoningTokens = usage?.output_tokens_details?.thinking_tokens;
  return {
    inputTokens: given === null ? null : given + (cachedTokens ?? 0) + written,
    outputTokens: usage?.output_tokens ?? null,
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(cachedTokens != null && { cachedTokens }),
  };
}

/** Joins the events of a message. If the message starts again, earlier events are discarded. */
class MessageParts implements StreamParts {
  readonly #size = new StreamSize();
  #message: JsonObject = {};
  #usage: JsonObject = {};
  #blocks = new Map<unknown, JsonObject>();

  add(chunk: unknown): PartKind {
    this.#size.grow();
    if (!isJsonObject(chunk)) return null;
    switch (chunk["type"]) {
      case "message_start": {
        this.#message = fieldsOf(chunk["message"]);
        this.#usage = fieldsOf(this.#message["usage"]);
        this.#blocks = new Map();
        return null;
      }
      case "content_block_start":
        return this.#start(chunk["index"], fieldsOf(chunk["content_block"]));
      case "content_block_delta":
        return this.#grow(chunk["index"], fieldsOf(chunk["delta"]));
      case "message_delta": {
        const delta = fieldsOf(chunk["delta"]);
        this.#message = { ...this.#message, ...delta };
        const counts = Object.entries(fieldsOf(chunk["usage"]));
        // Some gateways repeat all counts, with null for counts that they have already sent.
        for (const [name, value] of counts) if (value !== null) this.#usage[name] = value;
        return null;
      }
      default:
        return null;
    }
  }

  /** Null if no event has a stop reason, unless the stream was cut off. */
  body(isCut = false): JsonObject | null {
    if (typeof this.#message["stop_reason"] !== "string" && !isCut) return null;
    return { ...this.#message, usage: this.#usage, content: [...this.#blocks.values()] };
  }

  #start(index: unknown, block: JsonObject): PartKind {
    if (!isPlace(index)) return null;
    this.#size.grow(block);
    this.#blocks.set(index, block);
    // Another model of the provider continues the answer.
    if (block["type"] === "fallback") {
      this.#message["model"] = fieldsOf(block["to"])["model"] ?? this.#message["model"] ?? "";
    }
    return block["type"] === "tool_use" ? "answer" : null;
  }

  #grow(index: unknown, { type, text, thinking, partial_json: json }: JsonObject): PartKind {
    const block = this.#blocks.get(index);
    if (block === undefined) return null;
    const append = (name: string, more: unknown) => {
      if (typeof more !== "string" || more === "") return false;
      this.#size.grow(more);
      const before = block[name];
      block[name] = `${typeof before === "string" ? before : ""}${more}`;
      return true;
    };
    switch (type) {
      case "text_delta":
        return append("text", text) ? "answer" : null;
      case "thinking_delta":
        return append("thinking", thinking) ? "thought" : null;
      case "input_json_delta":
        return append("input", json) ? "answer" : null;
      default:
        return null;
    }
  }
}

/** Maximum number of blocks of a message. */
const MOST_BLOCKS = 10_000;
const isPlace = (index: unknown): boolean =>
  Number.isInteger(index) && Number(index) >= 0 && Number(index) < MOST_BLOCKS;

const fieldsOf = (value: unknown): JsonObject => (isJsonObject(value) ? { ...value } : {});
