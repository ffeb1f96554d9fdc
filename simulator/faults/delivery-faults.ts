import { isJsonObject, type Json, parsedJson } from "../../shared/contracts/json.ts";
import {
  type ApiError,
  apiError,
  rateLimitError,
  unknownModelError,
  wrongKeyError,
} from "../api-error.ts";
import { type FinishedCompletion, sse } from "../chat-response.ts";
import { bytesOf, type Delivery, errorBody, jsonBody, wholeBody } from "../delivery.ts";
import type { Draws } from "../draws.ts";
import { garble } from "../mistakes/garble.ts";
import type { NamedModel } from "../model-name.ts";
import type { Dialect } from "../protocols/dialect.ts";
import type { FaultKind, JudgmentFault } from "./fault-rates.ts";

/** Inputs of the faults. */
export interface FaultSettings {
  model: NamedModel;
  /** Format of errors. */
  dialect: Dialect;
  /** Key of the request; a 401 contains it masked. */
  apiKey: string;
  /** Duration of the body of `slow-body`. */
  slowBodyMs: number;
  /** Size of the body of `huge`. */
  hugeBytes: number;
}

type DeliveryFault = (delivery: Delivery, settings: FaultSettings) => Delivery;

/** A private address: reveals clients that follow the redirect. */
const redirectTarget = "http://10.0.0.1/v1/chat/completions";

/** Number of parts of a `slow-body`. */
const slowParts = 20;

const hugeChunk = "lorem ipsum ".repeat(5461);
const htmlPage =
  "<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>";

const sorry = serverError(
  500,
  "The server had an error while processing your request. Sorry about that!",
);

/** Errors instead of an answer. */
const errors: Partial<Record<FaultKind, (settings: FaultSettings) => ApiError>> = {
  "429": ({ model }) => rateLimitError(model.id, model.retryAfterSeconds),
  "500": () => sorry,
  "503": ({ model: { retryAfterSeconds } }) => ({
    ...serverError(503, "The engine is currently overloaded, please try again later."),
    retryAfterSeconds,
  }),
  "529": () => apiError(529, "Overloaded", { type: "overloaded_error" }),
  "401": ({ apiKey }) => wrongKeyError(apiKey),
  "404": ({ model }) => unknownModelError(model.name),
};

const faults: Partial<Record<FaultKind, DeliveryFault>> = {
  timeout: (delivery, { model }) => ({ ...delivery, firstMs: model.timeoutMs }),
  hang: (delivery) => ({ ...delivery, ending: "hang" }),
  stall: (delivery, { model }) => ({
    ...delivery,
    parts: pieces(bytesOf(delivery.parts), 2),
    gapMs: model.timeoutMs,
  }),
  cut: (delivery) => ({ ...delivery, parts: [half(delivery)], ending: "cut" }),
  "error-in-200": (delivery, { dialect }) => {
    const { body, event = body } = dialect.error(sorry);
    if (!isStream(delivery)) return jsonBody(JSON.stringify(body), delivery.firstMs);
    const begun = half(delivery);
    const whole = begun.subarray(0, begun.lastIndexOf("\n\n") + 2);
    return { ...delivery, parts: [whole, sse(event)] };
  },
  "truncated-json": (delivery) => ({
    ...wholeBody(half(delivery), String(delivery.headers["content-type"])),
    firstMs: delivery.firstMs,
  }),
  "slow-body": (delivery, { slowBodyMs }) => ({
    ...delivery,
    parts: pieces(bytesOf(delivery.parts), slowParts),
    gapMs: slowBodyMs / (slowParts - 1),
  }),
  "null-choices": (delivery) =>
    jsonBody(
      '{"id":"chatcmpl-null","object":"chat.completion","created":1767225600,"model":"simulator","choices":null,"usage":null}',
      delivery.firstMs,
    ),
  html: (delivery) => wholeBody(htmlPage, "text/html; charset=utf-8", delivery.firstMs),
  huge: (delivery, { hugeBytes }) => ({
    ...delivery,
    headers: { "content-type": "application/json" },
    parts: hugeParts(hugeBytes),
    gapMs: 0,
  }),
  redirect: () => ({
    ...wholeBody("", "text/plain"),
    status: 302,
    headers: { location: redirectTarget, "content-length": 0 },
  }),
};

/** The delivery with the fault applied; unchanged if the fault concerns something else. */
export function spoilDelivery(
  delivery: Delivery,
  fault: FaultKind | null,
  settings: FaultSettings,
): Delivery {
  if (fault === null) return delivery;
  const error = errors[fault]?.(settings);
  if (error !== undefined) return errorBody(settings.dialect.error(error));
  return faults[fault]?.(delivery, settings) ?? delivery;
}

function serverError(status: number, message: string) {
  return apiError(status, message, { type: "server_error" });
}

const isStream = ({ headers }: Delivery): boolean =>
  String(headers["content-type"]).startsWith("text/event-stream");

function half({ parts }: Delivery): Buffer {
  const body = bytesOf(parts);
  return body.subarray(0, Math.floor(body.length / 2));
}

function pieces(body: Buffer, count: number): Buffer[] {
  const at = (index: number) => Math.floor((index * body.length) / count);
  return Array.from({ length: count }, (_, index) => body.subarray(at(index), at(index + 1)));
}

/** One very long completion, generated while it is sent, so that it needs no memory. */
function* hugeParts(bytes: number): Generator<string> {
  yield '{"id":"chatcmpl-huge","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"';
  for (let sent = 0; sent < bytes; sent += hugeChunk.length) yield hugeChunk;
  yield '"},"finish_reason":"stop"}]}';
}

/** Faults of the content; the HTTP exchange is correct. */
const completionFaults = ["prose", "fenced", "refusal", "empty"] as const;

/** A completion with the fault applied; unchanged if the fault concerns something else. */
export function spoilCompletion(
  completion: FinishedCompletion,
  fault: FaultKind | null,
  draws: Draws,
): FinishedCompletion {
  const kind = completionFaults.find((known) => known === fault);
  if (kind === undefined) {
    const { content } = completion;
    return content === null
      ? completion
      : { ...completion, content: spoilJudgment(content, fault) };
  }
  return { ...garble({ ...completion, toolCalls: [] }, kind, draws), finishReason: "stop" };
}

/** A quotation that no answer contains. */
const nobodysWords = '"as the lighthouse keeper of Utsira wrote in his diary"';

/** Even a lenient parser fails on braces inside something unclosed. */
const beyondRepair = '{"reasoning": "It is fair", "score": {{[';

/** Above the maximum of every scale: shares, levels, percentages. */
const beyond = 1_000;

/** Fields of judgments with quotations: lists, and single texts. */
const quotingLists = new Set([
  "flagged_content",
  "impolite_phrases",
  "grammar_issues",
  "supportive_elements",
  "callbacks",
]);
const quotingTexts = new Set(["evidence", "statement1", "statement2"]);

/** Faults of a judgment in an otherwise correct answer. */
const spoilers: Readonly<Record<JudgmentFault, (text: string) => string>> = {
  "invalid-json": () => beyondRepair,
  "wrong-schema": (text) => changed(text, otherType),
  "out-of-range": (text) => changed(text, outOfRange),
  "invented-quotes": (text) => changed(text, withInventions),
};

/** A content with a judge's fault applied; unchanged if the fault concerns something else. */
export function spoilJudgment(content: string, fault: FaultKind | null): string {
  const kind = Object.keys(spoilers).find((known) => known === fault) as JudgmentFault | undefined;
  return kind === undefined ? content : spoilers[kind](content);
}

function changed(text: string, change: (value: Json) => Json): string {
  const value = parsedJson(text) as Json | undefined;
  return value === undefined ? text : JSON.stringify(change(value));
}

/** The same properties with values of other types. */
function otherType(value: Json): Json {
  if (!isJsonObject(value)) return { verdict: "good" };
  const swap = (field: Json): Json => (typeof field === "string" ? [field.length] : "good");
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, swap(field)]));
}

function outOfRange(value: Json): Json {
  if (typeof value === "number") return value + beyond;
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, outOfRange(field)]);
  return Object.fromEntries(fields);
}

function withInventions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withInventions);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, Json] => {
    if (quotingTexts.has(name)) return [name, nobodysWords];
    if (quotingLists.has(name) && Array.isArray(field)) return [name, [...field, nobodysWords]];
    return [name, withInventions(field)];
  });
  return Object.fromEntries(fields);
}
