import { z } from "zod";
import {
  type Answer,
  emptyAnswer,
  meanConfidence,
  type StructuredMode,
} from "../contracts/answer.ts";
import { bounds } from "../contracts/bounds.ts";
import type { ChatMessage, ChatRequest } from "../contracts/chat-request.ts";
import { isJsonObject, type Json, type JsonObject } from "../contracts/json.ts";
import type { Effort } from "../contracts/submissions/inference-settings.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { InlineThoughts } from "./inline-thoughts.ts";
import {
  type Asked,
  functionsOf,
  givenFields,
  type PartKind,
  type Protocol,
  type StreamParts,
  thoughtRoom,
} from "./protocol.ts";
import { count, filterRefusal, optionalText } from "./read-completion.ts";
import { ReportedError, StreamSize, UnwritableError } from "./reply-errors.ts";
import { toolCalls } from "./tool-calls.ts";

/** OpenAI's Responses, also supported by xAI, DeepSeek, LM Studio, OpenRouter and Azure. */
export const responses: Protocol = {
  path: () => "/responses",
  headers: {},
  keyHeaders: (key) => ({ authorization: `Bearer ${key}` }),
  lacks: ["presencePenalty", "frequencyPenalty", "seed"],
  body: responsesBody,
  room: thoughtRoom,
  ladder: ["json_schema_strict", "json_schema", "json_object", "none"],
  read: readResponse,
  parts: () => new ResponseParts(),
};

function responsesBody({ endpoint, request, mode, refused, streams }: Asked): JsonObject {
  const { structured } = request;
  const { reasoningEffort: effort, extraBody = {} } = endpoint.settings ?? {};
  const { verbosity, ...extra } = extraBody;
  const fields = {
    temperature: request.temperature ?? undefined,
    top_p: request.topP,
    max_output_tokens: request.maxTokens && request.maxTokens + thoughtRoom(endpoint),
    include: request.logprobs ? ["message.output_text.logprobs"] : undefined,
    tools: functionsOf(request)?.map((its) => ({ type: "function", ...its, strict: false })),
    tool_choice: request.toolChoice,
    text: textOf(structured && formatOf(mode, structured), verbosity as Json | undefined),
  };
  return {
    model: endpoint.model,
    input: inputOf(request),
    store: false,
    ...(effort !== undefined && { reasoning: { effort, ...summaryFor(effort, refused) } }),
    ...(extra as JsonObject),
    ...givenFields(fields, refused),
    ...(streams && { stream: true }),
  };
}

/** In this interface, format and verbosity are in one object. */
function textOf(format: JsonObject | undefined, verbosity: Json | undefined) {
  if (format === undefined && verbosity === undefined) return undefined;
  return { ...format, ...(verbosity !== undefined && { verbosity }) };
}

/** Thoughts are returned only as a requested summary, which OpenAI refuses to unverified accounts. */
const summaryFor = (effort: Effort, refused: ReadonlySet<string>) =>
  effort === "none" || refused.has("reasoning.summary") ? {} : { summary: "auto" };

function inputOf({ messages, audio }: ChatRequest): Json[] {
  return messages.flatMap((message, i): Json[] => {
    const { role, content } = message;
    const writer = role === "tool" ? "user" : role;
    if (audio === undefined || i < messages.length - 1) return itemsOf(message, writer);
    const recording = { type: "input_audio", input_audio: { ...audio } };
    return [{ role: writer, content: [{ type: "input_text", text: content }, recording] }];
  });
}

function itemsOf({ content, calls, result }: ChatMessage, role: string): Json[] {
  if (result !== undefined) {
    return [{ type: "function_call_output", call_id: result.id, output: content }];
  }
  if (calls === undefined) return [{ role, content }];
  const its = calls.map(({ id, name, arguments: args }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  }));
  return content === "" ? its : [{ role, content }, ...its];
}

function formatOf(
  mode: StructuredMode,
  { name, schema }: NonNullable<ChatRequest["structured"]>,
): JsonObject | undefined {
  if (mode === "none") return undefined;
  if (mode === "json_object") return { format: { type: "json_object" } };
  if (!mode.startsWith("json_schema")) throw new UnwritableError(`Responses has no mode ${mode}`);
  const strict = mode === "json_schema_strict";
  return { format: { type: "json_schema", name, schema, strict } };
}

const texts = z
  .array(z.looseObject({ text: optionalText }))
  .nullish()
  .catch(null);

const itemSchema = z.looseObject({
  type: z.string(),
  phase: optionalText,
  content: z
    .array(
      z.looseObject({
        type: optionalText,
        text: optionalText,
        refusal: optionalText,
        logprobs: z
          .array(z.object({ logprob: z.number() }))
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
  summary: texts,
  name: optionalText,
  arguments: z.unknown().optional(),
});
type Item = z.infer<typeof itemSchema>;

const responseSchema = z.looseObject({
  model: z.string().optional().catch(undefined),
  status: optionalText,
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: optionalText }).nullish().catch(null),
  output: z.array(itemSchema),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: z
        .object({ cached_tokens: count, audio_tokens: count })
        .nullish()
        .catch(null),
      output_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

function readResponse(body: unknown, source: string | null): Answer | null {
  throwFailure(body);
  const { data } = responseSchema.safeParse(body);
  if (data === undefined || !["completed", "incomplete", null, undefined].includes(data.status)) {
    return null;
  }
  const { output, usage, incomplete_details: cut, model } = data;
  const messages = output.filter(({ type }) => type === "message");
  // If messages have phases, those that are not final answers were written between calls.
  const arePhased = messages.some(({ phase }) => phase != null);
  const isFinal = ({ phase }: Item) => phase === "final_answer" || !arePhased;
  const said = messages.filter(isFinal).flatMap(({ content }) => content ?? []);
  const thoughts = [
    ...output.filter(({ type }) => type === "reasoning").map(thoughtsIn),
    ...messages.filter((one) => !isFinal(one)).map(textIn),
  ].filter(Boolean);
  const calls = output.filter(({ type, name }) => type === "function_call" && name);
  const logprobs = said.flatMap((part) => part.logprobs ?? []);
  const reasoningTokens = usage?.output_tokens_details?.reasoning_tokens;
  const { cached_tokens: cachedTokens, audio_tokens: audioTokens } =
    usage?.input_tokens_details ?? {};
  const text = said.some((part) => part.text != null)
    ? said.map((part) => part.text ?? "").join("")
    : null;
  return {
    ...emptyAnswer,
    ...(model !== undefined && { servedModel: model }),
    output: text,
    ...(thoughts.length > 0 && { thoughts: thoughts.join("\n\n") }),
    refusal:
      said.map(({ refusal }) => refusal ?? "").join("") || filterRefusal(cut?.reason, text, calls),
    toolCalls: toolCalls(calls.map((call) => ({ name: call.name!, arguments: call.arguments }))),
    finishReason: stopOf(cut?.reason ?? null, calls.length > 0),
    inputTokens: usage?.input_tokens ?? null,
    outputTokens: usage?.output_tokens ?? null,
    ...(reasoningTokens != null && { reasoningTokens }),
    ...(cachedTokens != null && { cachedTokens }),
    ...(audioTokens && { audioTokens }),
    confidence: meanConfidence(logprobs.map(({ logprob }) => logprob)),
    source: source,
  };
}

const textIn = ({ content }: Item): string => content?.map(({ text }) => text ?? "").join("") ?? "";

/** The full thoughts if the provider returns them, else their summary. */
const thoughtsIn = (item: Item): string =>
  textIn(item) || (item.summary?.map(({ text }) => text ?? "").join("\n\n") ?? "");

const stopOf = (cut: string | null, hasCalls: boolean): string =>
  finishReasonOf(cut ?? (hasCalls ? "tool_calls" : "stop"));

function throwFailure(body: unknown): void {
  if (!isJsonObject(body)) return;
  const { error, status } = body;
  if (typeof error === "string") throw new ReportedError({ message: error });
  if (isJsonObject(error ?? null) || status === "failed") {
    throw new ReportedError((error ?? {}) as JsonObject);
  }
}

/** An unfinished item and its text so far, by part, in case the stream breaks. */
interface OpenItem {
  item: JsonObject;
  texts: Record<"content" | "summary", Map<unknown, string>>;
}

/** The last event has the whole response, but some servers omit its items. */
class ResponseParts implements StreamParts {
  readonly #size = new StreamSize();
  readonly #items: Json[] = [];
  readonly #inline = new InlineThoughts();
  #response: JsonObject | null = null;
  /** Open items by their index in the output. */
  readonly #open = new Map<unknown, OpenItem>();
  /** Total characters of the open items' texts. */
  #said = 0;

  add(chunk: unknown): PartKind {
    this.#size.grow();
    if (!isJsonObject(chunk) || typeof chunk["type"] !== "string") return null;
    const { type, delta, item, response, output_index: place = null } = chunk;
    if (type === "error") throw new ReportedError(chunk);
    if (type === "response.output_item.done" && item !== undefined) {
      this.#size.grow(item);
      this.#items.push(item);
      this.#open.delete(place);
      if (this.#open.size === 0) this.#said = 0;
    }
    if (type === "response.output_item.added" && isJsonObject(item ?? null)) {
      this.#size.grow(item);
      this.#open.set(place, openItem(item as JsonObject));
    }
    if (/^response\.(completed|incomplete|failed)$/.test(type) && isJsonObject(response)) {
      throwFailure(response);
      this.#response = response;
    }
    if (typeof delta !== "string" || delta === "") return null;
    return this.#grow(type, delta, chunk);
  }

  body(isCut = false): JsonObject | null {
    if (this.#response === null) {
      return isCut
        ? { output: [...this.#items, ...Array.from(this.#open.values(), cutItem)] }
        : null;
    }
    const { output } = this.#response;
    const isWhole = Array.isArray(output) && output.length > 0;
    return isWhole ? this.#response : { ...this.#response, output: this.#items };
  }

  #grow(type: string, delta: string, chunk: JsonObject): PartKind {
    const isThought = type.includes("reasoning");
    const isText = type.includes("output_text");
    const { output_index: place = null, summary_index: summary, content_index: content } = chunk;
    const open = this.#open.get(place) ?? openItem({ type: isThought ? "reasoning" : "message" });
    const isKept = isThought || isText || type.includes("function_call_arguments");
    if (isKept && this.#said < bounds.received) {
      this.#open.set(place, open);
      this.#said += delta.length;
      const texts = open.texts[summary === undefined ? "content" : "summary"];
      const part = summary ?? content ?? 0;
      texts.set(part, (texts.get(part) ?? "") + delta);
    }
    const { phase } = open.item;
    if (isThought || (isText && phase != null && phase !== "final_answer")) return "thought";
    return isText ? this.#inline.kindOf(delta) : "answer";
  }
}

const openItem = (item: JsonObject): OpenItem => ({
  item,
  texts: { content: new Map(), summary: new Map() },
});

/** The received part of an item, in the format of a complete item. */
function cutItem({ item, texts }: OpenItem): JsonObject {
  const said = [...texts.content.values()];
  if (item["type"] === "function_call") return { ...item, arguments: said.join("") };
  return {
    ...item,
    content: said.map((text) => ({ type: "output_text", text })),
    summary: Array.from(texts.summary.values(), (text) => ({ text })),
  };
}
