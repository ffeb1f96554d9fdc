import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import type { ApiError, SentError } from "../api-error.ts";
import {
  countUsage,
  type FinishedCompletion,
  type ResponseFacts,
  splitTokens,
  sse,
} from "../chat-response.ts";
import { argumentsOf, type Dialect, fieldsOf, functionTool, listOf } from "./dialect.ts";

/** The path of a request: the model and whether it streams. */
export const generatePath = /^\/v1beta\/models\/([^:]+):(generateContent|streamGenerateContent)$/;

/** Google's `generateContent`. */
export const generateDialect: Dialect = {
  toChat,
  reply: (completion, facts) =>
    JSON.stringify(replyOf(partsOf(completion), completion, facts, true)),
  stream(completion, facts) {
    const pieces = partsOf(completion).flatMap(({ text, ...part }) =>
      typeof text === "string"
        ? splitTokens(text).map((piece) => ({ ...part, text: piece }))
        : [part],
    );
    return [
      ...pieces.map((part) => sse(replyOf([part], completion, facts, false))),
      sse(replyOf([{ text: "" }], completion, facts, true)),
    ];
  },
  error: errorOf,
};

/** Names of statuses. Source: https://ai.google.dev/gemini-api/docs/troubleshooting */
const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
};

/** An invalid key is an INVALID_ARGUMENT. The delay before a retry is in the body. */
function errorOf({ status, body, retryAfterSeconds: delay }: ApiError): SentError {
  const isKey = status === 401;
  const code = isKey ? 400 : status;
  const message = isKey ? "API key not valid. Please pass a valid API key." : body.error.message;
  const details = [
    ...(isKey ? [detail("ErrorInfo", { reason: "API_KEY_INVALID" })] : []),
    ...(delay === undefined ? [] : [detail("RetryInfo", { retryDelay: `${delay}s` })]),
  ];
  const error = { code, message, status: statusNames[code] ?? "UNAVAILABLE", details };
  return { status: code, body: { error } };
}

const detail = (type: string, fields: object): object => ({
  "@type": `type.googleapis.com/google.rpc.${type}`,
  ...fields,
});

/** The list of models. Source: https://ai.google.dev/api/models */
export const generateModels = (models: readonly { id: string; profile: string }[]): object => ({
  models: models.map(({ id, profile }) => ({
    name: `models/${id}`,
    version: "001",
    displayName: id,
    supportedGenerationMethods: ["generateContent"],
    thinking: profile === "reasoning",
  })),
});

function toChat(given: unknown, path: string): unknown {
  if (!isJsonObject(given)) return given;
  const [, model = "", action] = generatePath.exec(path) ?? [];
  const { contents, systemInstruction, tools, generationConfig } = given;
  const config = fieldsOf(generationConfig);
  const { thinkingLevel, thinkingBudget } = fieldsOf(config["thinkingConfig"]);
  const functions = listOf(tools).flatMap((tool) => listOf(tool["functionDeclarations"]));
  const system = listOf(fieldsOf(systemInstruction)["parts"]).map(({ text }) => text ?? "");
  const effort = thinkingLevel ?? (thinkingBudget === 0 ? "none" : undefined);
  return {
    model: decodeURIComponent(model),
    messages: Array.isArray(contents)
      ? [
          ...(system.length > 0 ? [{ role: "system", content: system.join("\n\n") }] : []),
          ...listOf(contents).map(messageOf),
        ]
      : null,
    stream: action === "streamGenerateContent",
    temperature: config["temperature"],
    top_p: config["topP"],
    seed: config["seed"],
    max_completion_tokens: config["maxOutputTokens"],
    response_format: formatOf(config),
    reasoning_effort: effort,
    tools: functions.map(({ parametersJsonSchema: parameters = {}, ...rest }) =>
      functionTool({ ...rest, parameters }),
    ),
  };
}

function messageOf({ role, parts }: JsonObject): JsonObject {
  const content = listOf(parts).map(({ text, inlineData }): JsonObject => {
    if (text !== undefined) return { type: "text", text };
    return { type: "input_audio", input_audio: { data: fieldsOf(inlineData)["data"] ?? "" } };
  });
  return { role: role === "model" ? "assistant" : "user", content };
}

function formatOf({ responseMimeType, responseJsonSchema: schema }: JsonObject): Json | undefined {
  if (responseMimeType !== "application/json") return undefined;
  if (schema === undefined) return { type: "json_object" };
  return { type: "json_schema", json_schema: { name: "answer", schema, strict: true } };
}

function partsOf({ content, refusal, thoughts, toolCalls }: FinishedCompletion): JsonObject[] {
  const text = refusal === null ? content : null;
  return [
    ...(thoughts === undefined ? [] : [{ text: thoughts, thought: true }]),
    ...(text === null ? [] : [{ text }]),
    ...toolCalls.map((call) => ({
      functionCall: { name: call.name, args: argumentsOf(call.arguments) },
    })),
  ];
}

function replyOf(
  parts: JsonObject[],
  completion: FinishedCompletion,
  facts: ResponseFacts,
  isLast: boolean,
) {
  const usage = countUsage(completion, facts);
  const { reasoning_tokens: thoughts } = usage.completion_tokens_details;
  const isCut = completion.finishReason === "length";
  const end = completion.refusal === null ? (isCut ? "MAX_TOKENS" : "STOP") : "SAFETY";
  return {
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(isLast && { finishReason: end }) },
    ],
    modelVersion: facts.request.model,
    responseId: facts.key,
    usageMetadata: {
      promptTokenCount: usage.prompt_tokens,
      candidatesTokenCount: usage.completion_tokens - thoughts,
      ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
      cachedContentTokenCount: usage.prompt_tokens_details.cached_tokens,
      totalTokenCount: usage.total_tokens,
    },
  };
}
