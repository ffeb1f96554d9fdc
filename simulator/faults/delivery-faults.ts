import { apiError, rateLimitError, unknownModelError, wrongKeyError } from "../api-error.ts";
import { bytesOf, type Delivery, errorBody, wholeBody } from "../delivery.ts";
import type { NamedModel } from "../model-name.ts";
import type { FaultKind } from "./fault-rates.ts";

/** What the faults need to know. */
export interface FaultSettings {
  model: NamedModel;
  /** The key of the request, which a 401 echoes masked. */
  apiKey: string;
  /** How long the body of `slow-body` takes. */
  slowBodyMs: number;
  /** How long the body of `huge` is. */
  hugeBytes: number;
}

type DeliveryFault = (delivery: Delivery, settings: FaultSettings) => Delivery;

/** A private address: clients that follow the redirect are caught. */
const redirectTarget = "http://10.0.0.1/v1/chat/completions";

/** Parts of a body that `slow-body` sends one by one. */
const slowParts = 20;

const hugeChunk = "lorem ipsum ".repeat(5461);
const htmlPage =
  "<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>";

const faults: Partial<Record<FaultKind, DeliveryFault>> = {
  "429": (_, { model }) =>
    errorBody(rateLimitError(model.id, model.retryAfterSeconds), {
      "retry-after": model.retryAfterSeconds,
    }),
  "500": () =>
    errorBody(
      serverError(500, "The server had an error while processing your request. Sorry about that!"),
    ),
  "503": (_, { model }) =>
    errorBody(serverError(503, "The engine is currently overloaded, please try again later."), {
      "retry-after": model.retryAfterSeconds,
    }),
  "529": () => errorBody(apiError(529, "Overloaded", { type: "overloaded_error" })),
  "401": (_, { apiKey }) => errorBody(wrongKeyError(apiKey)),
  "404": (_, { model }) => errorBody(unknownModelError(model.name)),
  timeout: (delivery, { model }) => ({ ...delivery, firstMs: model.timeoutMs }),
  hang: (delivery) => ({ ...delivery, ending: "hang" }),
  cut: (delivery) => ({ ...delivery, parts: half(delivery), ending: "cut" }),
  "truncated-json": (delivery) => ({
    ...wholeBody(half(delivery)[0] ?? "", String(delivery.headers["content-type"])),
    firstMs: delivery.firstMs,
  }),
  "slow-body": (delivery, { slowBodyMs }) => ({
    ...delivery,
    parts: pieces(bytesOf(delivery.parts), slowParts),
    gapMs: slowBodyMs / (slowParts - 1),
  }),
  "null-choices": (delivery) => ({
    ...wholeBody(
      '{"id":"chatcmpl-null","object":"chat.completion","created":1767225600,"model":"simulator","choices":null,"usage":null}',
      "application/json",
      delivery.firstMs,
    ),
  }),
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

/** The delivery as the fault makes it, or as it is when the fault lies elsewhere. */
export function spoilDelivery(
  delivery: Delivery,
  fault: FaultKind | null,
  settings: FaultSettings,
): Delivery {
  const spoil = fault === null ? undefined : faults[fault];
  return spoil === undefined ? delivery : spoil(delivery, settings);
}

function serverError(status: number, message: string) {
  return apiError(status, message, { type: "server_error" });
}

function half({ parts }: Delivery): Buffer[] {
  const body = bytesOf(parts);
  return [body.subarray(0, Math.floor(body.length / 2))];
}

function pieces(body: Buffer, count: number): Buffer[] {
  const at = (index: number) => Math.floor((index * body.length) / count);
  return Array.from({ length: count }, (_, index) => body.subarray(at(index), at(index + 1)));
}

/** One completion whose content never seems to end; made as it is sent, so it needs no memory. */
function* hugeParts(bytes: number): Generator<string> {
  yield '{"id":"chatcmpl-huge","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"';
  for (let sent = 0; sent < bytes; sent += hugeChunk.length) yield hugeChunk;
  yield '"},"finish_reason":"stop"}]}';
}
