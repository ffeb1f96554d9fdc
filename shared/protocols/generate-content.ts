import { z } from "zod";
import { type Answer, emptyAnswer, type StructuredMode } from "../contracts/answer.ts";
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

/** Google's Gemini `generateContent`. */
export const generateContent: Protocol = {
  path: (model, streams) =>
    `/models/${encodeURIComponent(model.replace(/^models\//, ""))}:${streams ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  headers: {},
  keyHeaders: (key) => ({ "x-goog-api-key": key }),
  lacks: [],
  body: generateBody,
  room: thoughtRoom,
  ladder: ["json_schema_strict", "json_object", "none"],
  read: readContent,
  parts: () => new ContentParts(),
};

function generateBody({ endpoint, request, mode, refused }: Asked): JsonObject {
  const system = request.messages.filter(({ role }) => role === "system");
  const functions = functionsOf(request)?.map(({ name, description, parameters }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parametersJsonSchema: parameters }),
  }));
  const { extraBody = {} } = endpoint.settings ?? {};
  const { top_k: topK, ...extra } = extraBody;
  const { toolChoice } = request;
  const config = {
    temperature: request.temperature ?? undefined,
    topP: request.topP,
    maxOutputTokens: request.maxTokens && request.maxTokens + thoughtRoom(endpoint),
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    seed: request.seed,
    responseLogprobs: request.logprobs || undefined,
    ...(request.structured && schemaFields(mode, request.structured.schema)),
    thinkingConfig: thinkingConfig(endpoint.settings),
    topK,
  };
  return {
    ...(extra as JsonObject),
    contents: contentsOf(request),
    ...(system.length > 0 && {
      systemInstruction: { parts: system.map(({ content }) => ({ text: content })) },
    }),
    ...(functions && { tools: [{ functionDeclarations: functions as Json }] }),
    ...(toolChoice && {
      toolConfig: { functionCallingConfig: { mode: toolChoice === "required" ? "ANY" : "AUTO" } },
    }),
    generationConfig: givenFields(config, refused),
  };
}

/** Gemini 3 accepts a thinking level, Gemini 2.5 a number of tokens. */
function thinkingConfig({
  reasoningEffort: effort,
  thinkingBudget: budget,
}: InferenceSettings = {}) {
  if (effort === undefined && budget === undefined) return undefined;
  const thinkingBudget = effort === "none" ? 0 : budget;
  return {
    includeThoughts: thinkingBudget !== 0,
    ...(thinkingBudget === undefined ? { thinkingLevel: effort! } : { thinkingBudget }),
  };
}

/** The results of all calls of an answer must be in one content. */
function contentsOf({ messages, audio }: ChatRequest): Json[] {
  const said = messages.filter(({ role }) => role !== "system");
  const contents: { role: string; parts: Json[] }[] = [];
  for (const [i, message] of said.entries()) {
    const { role, content, result } = message;
    if (result !== undefined) {
      const part = { functionResponse: { name: result.name, response: { result: content } } };
      if (said[i - 1]?.result === undefined) contents.push({ role: "user", parts: [] });
      contents.at(-1)!.parts.push(part);
      continue;
    }
    const isLast = audio !== undefined && i === said.length - 1;
    const recording = audio && {
      inlineData: { mimeType: `audio/${audio.format}`, data: audio.data },
    };
    contents.push({
      role: role === "assistant" ? "model" : "user",
      parts: [...partsOf(message, content), ...(isLast && recording ? [recording] : [])],
    });
  }
  return contents;
}

/** Gemini 3 signs its thoughts before a call; this is the documented placeholder for calls without a signature. */
const unsigned = "skip_thought_signature_validator";

const partsOf = ({ calls = [] }: ChatMessage, text: string): Json[] => [
  ...(calls.length > 0 && text === "" ? [] : [{ text }]),
  ...calls.map(({ name, arguments: args }, i) => ({
    functionCall: { name, args },
    ...(i === 0 && { thoughtSignature: unsigned }),
  })),
];

function schemaFields(mode: StructuredMode, schema: Json): JsonObject {
  if (mode === "none") return {};
  const isSchema = mode.startsWith("json_schema");
  if (!isSchema && mode !== "json_object") throw new UnwritableError(`Gemini has no mode ${mode}`);
  return {
    responseMimeType: "application/json",
    ...(isSchema && { responseJsonSchema: schema }),
  };
}

const partSchema = z.looseObject({
  text: optionalText,
  thought: z.boolean().nullish().catch(null),
  functionCall: z
    .looseObject({ name: optionalText, args: z.unknown().optional() })
    .nullish()
    .catch(null),
});

const replySchema = z
  .looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z
            .looseObject({ parts: z.array(partSchema).nullish() })
            .nullish()
            .catch(null),
          finishReason: optionalText,
          avgLogprobs: z.number().nullish().catch(null),
        }),
      )
      .nullish(),
    promptFeedback: z.looseObject({ blockReason: optionalText }).nullish().catch(null),
    modelVersion: z.string().optional().catch(undefined),
    usageMetadata: z
      .looseObject({
        promptTokenCount: count,
        promptTokensDetails: z
          .array(z.looseObject({ modality: optionalText, tokenCount: count }))
          .nullish()
          .catch(null),
        toolUsePromptTokenCount: count,
        candidatesTokenCount: count,
        thoughtsTokenCount: count,
        totalTokenCount: count,
        cachedContentTokenCount: count,
      })
      .nullish()
      .catch(null),
  })
  .refine(({ candidates, promptFeedback }) => candidates?.length || promptFeedback?.blockReason);
type Reply = z.infer<typeof replySchema>;

/** Finish reasons of the provider's filters. */
const filtered = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE/;

function readContent(body: unknown, source: string | null): Answer | null {
  if (Array.isArray(body)) return readStreamed(body, source);
  if (isJsonObject(body) && isJsonObject(body["error"] ?? null)) {
    throw new ReportedError(body["error"] as JsonObject);
  }
  const { data } = replySchema.safeParse(body);
  if (data === undefined) return null;
  const [candidate] = data.candidates ?? [];
  const parts = candidate?.content?.parts ?? [];
  const thoughts = parts.filter(({ thought }) => thought).map(({ text }) => text ?? "");
  const said = parts.filter(({ thought, text }) => !thought && text != null);
  const calls = parts.flatMap(({ functionCall: its }) =>
    its?.name ? [{ name: its.name, arguments: its.args ?? {} }] : [],
  );
  const avgLogprobs = candidate?.avgLogprobs ?? null;
  const end = endOf(data, calls.length > 0);
  return {
    ...emptyAnswer,
    ...(data.modelVersion !== undefined && { servedModel: data.modelVersion }),
    output: textOf(said, calls.length > 0 || end.refusal !== null),
    ...(thoughts.join("") !== "" && { thoughts: thoughts.join("") }),
    ...end,
    toolCalls: toolCalls(calls),
    ...tokensOf(data.usageMetadata),
    confidence: avgLogprobs === null ? null : Math.exp(avgLogprobs),
    source: source,
  };
}

/** Null without a text. Every stream ends with an empty text, even after calls or a refusal. */
function textOf(said: readonly z.infer<typeof partSchema>[], isElsewhere: boolean): string | null {
  const text = said.map((part) => part.text).join("");
  return said.length === 0 || (text === "" && isElsewhere) ? null : text;
}

function endOf({ promptFeedback, candidates }: Reply, hasCalls: boolean) {
  const blocked = promptFeedback?.blockReason ?? null;
  const end = blocked ?? candidates?.[0]?.finishReason ?? null;
  if (end !== null && (blocked !== null || filtered.test(end))) {
    const refusal = `the provider's filter stopped the answer: ${end}`;
    return { refusal, finishReason: "content_filter" };
  }
  const isCall = end === "STOP" && hasCalls;
  return {
    refusal: null,
    finishReason: isCall ? "tool_calls" : end && finishReasonOf(end.toLowerCase()),
  };
}

/** Thoughts are billed as output but not counted among the candidates' tokens. */
function tokensOf(usage: Reply["usageMetadata"]) {
  const { thoughtsTokenCount: reasoning, cachedContentTokenCount: cached } = usage ?? {};
  const { promptTokenCount: prompt, toolUsePromptTokenCount: tools = 0 } = usage ?? {};
  const inputTokens = prompt == null ? null : prompt + (tools ?? 0);
  const audio = usage?.promptTokensDetails?.find(({ modality }) => modality === "AUDIO");
  const said = usage?.candidatesTokenCount;
  const total = usage?.totalTokenCount;
  const counted = said == null && reasoning == null ? null : (said ?? 0) + (reasoning ?? 0);
  return {
    inputTokens,
    outputTokens:
      total != null && inputTokens !== null ? Math.max(0, total - inputTokens) : counted,
    ...(reasoning != null && { reasoningTokens: reasoning }),
    ...(cached != null && { cachedTokens: cached }),
    ...(audio?.tokenCount && { audioTokens: audio.tokenCount }),
  };
}

/** Without `alt=sse` a stream is one array of its chunks. */
function readStreamed(chunks: readonly unknown[], source: string | null): Answer | null {
  const parts = new ContentParts();
  for (const chunk of chunks) {
    const error = isJsonObject(chunk) ? (chunk["error"] ?? null) : null;
    if (isJsonObject(error)) throw new ReportedError(error, readContent(parts.body(true), source));
    parts.add(chunk);
  }
  return readContent(parts.body(), source);
}

/** Fields of a reply other than its candidates; the last value wins. */
const wholeFields = ["modelVersion", "usageMetadata", "promptFeedback"];

/** Joins the chunks of the first candidate. */
class ContentParts implements StreamParts {
  readonly #size = new StreamSize();
  readonly #whole: JsonObject = {};
  readonly #parts: JsonObject[] = [];
  #end: Json = null;
  #logprobs: Json = null;
  /** Arguments of a call that come in pieces. */
  #open: CallArguments | null = null;

  add(chunk: unknown): PartKind {
    this.#size.grow();
    if (!isJsonObject(chunk)) return null;
    const { candidates } = chunk;
    for (const name of wholeFields) {
      const value = chunk[name];
      if (value !== undefined) this.#whole[name] = value;
    }
    const [candidate] = Array.isArray(candidates) ? candidates.filter(isJsonObject) : [];
    if (candidate === undefined) return null;
    this.#end = candidate["finishReason"] ?? this.#end;
    this.#logprobs = candidate["avgLogprobs"] ?? this.#logprobs;
    const content = candidate["content"];
    const parts = isJsonObject(content ?? null) ? (content as JsonObject)["parts"] : [];
    const kinds = (Array.isArray(parts) ? parts.filter(isJsonObject) : []).map((part) =>
      this.#add(part),
    );
    return kinds.find((kind) => kind === "answer") ?? kinds.find((kind) => kind !== null) ?? null;
  }

  /** Null if no chunk has a finish reason, unless the stream was cut off. */
  body(isCut = false): JsonObject | null {
    const feedback = this.#whole["promptFeedback"] ?? null;
    const isBlocked = isJsonObject(feedback) && typeof feedback["blockReason"] === "string";
    if (this.#end === null && !isCut && !isBlocked) return null;
    const content = { parts: this.#parts };
    const candidate = { content, finishReason: this.#end, avgLogprobs: this.#logprobs };
    return { ...this.#whole, candidates: [candidate] };
  }

  #add({ text, thought, functionCall: call }: JsonObject): PartKind {
    if (isJsonObject(call ?? null)) return this.#call(call as JsonObject);
    if (typeof text !== "string") return null;
    this.#size.grow(text);
    this.#parts.push({ text, ...(thought === true && { thought }) });
    if (text === "") return null;
    return thought === true ? "thought" : "answer";
  }

  /** The first piece of a call has its name; the others have arguments with their paths. */
  #call({ name, args, partialArgs }: JsonObject): PartKind {
    this.#size.grow(args);
    this.#size.grow(partialArgs);
    if (typeof name === "string") {
      this.#open = new CallArguments(isJsonObject(args ?? null) ? (args as JsonObject) : {});
      this.#parts.push({ functionCall: { name, args: this.#open.whole } });
    }
    for (const piece of Array.isArray(partialArgs) ? partialArgs.filter(isJsonObject) : []) {
      this.#open?.add(piece);
    }
    return "answer";
  }
}

/** Maximum length of a piece's path, in characters and in steps: deeper than any function's arguments. */
const MOST_PATH = 200;
const MOST_STEPS = 30;

type Holder = Record<string | number, Json>;

/** Arguments of a call, joined from pieces such as `{jsonPath: "$.days[0].city", stringValue: "Os"}`. */
class CallArguments {
  readonly whole: JsonObject;
  constructor(whole: JsonObject) {
    this.whole = whole;
  }

  /** Ignores a piece whose path does not fit the arguments received so far; a list grows by one entry at a time. */
  add(piece: JsonObject): void {
    const { jsonPath: path } = piece;
    if (typeof path !== "string" || path.length > MOST_PATH) return;
    const steps = stepsOf(path);
    const last = steps.at(-1);
    if (last === undefined || steps.length > MOST_STEPS) return;
    const at = holderAt(this.whole, steps);
    if (at === null || !canHold(at, last)) return;
    const given = piece["stringValue"] ?? piece["numberValue"] ?? piece["boolValue"] ?? null;
    const before = Object.hasOwn(at, last) ? at[last] : undefined;
    at[last] = typeof before === "string" && typeof given === "string" ? before + given : given;
  }
}

/** The object or list that contains the last step, created if missing; null if that is impossible. */
function holderAt(whole: JsonObject, steps: readonly (string | number)[]): Json {
  let at: Json = whole;
  for (const [i, step] of steps.slice(0, -1).entries()) {
    if (!canHold(at, step)) return null;
    if (!Object.hasOwn(at, step)) at[step] = typeof steps[i + 1] === "number" ? [] : {};
    at = at[step] as Json;
  }
  return at;
}

/** The steps of a path such as `$.days[0].city`: names and indexes. */
const stepsOf = (path: string): (string | number)[] =>
  Array.from(path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g), (step) =>
    step[2] === undefined ? (step[1] ?? step[3] ?? step[4]!) : Number(step[2]),
  );

/** Whether a value can have an entry: a list up to its next index, an object at any name but `__proto__`. */
function canHold(at: Json, step: string | number): at is Holder & Json {
  if (Array.isArray(at)) return typeof step === "number" && step <= at.length;
  return isJsonObject(at) && typeof step === "string" && step !== "__proto__";
}
