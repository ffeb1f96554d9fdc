import OpenAI, { APIError } from "openai";
import { type Answer, boundedAnswer } from "#shared/contracts/answer.ts";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type Redact, redactDeep, redactor, secretsOf } from "../security/redact.ts";
import { type Failure, failureOf } from "./failure.ts";
import { guardedFetch, headersAt, isEventStream } from "./guarded-fetch.ts";
import { readCompletion } from "./read-completion.ts";
import { readStream } from "./read-stream.ts";

/** The SDK requires a key; without one, the header is removed. */
const NO_KEY = "none";

/** Result of one call. */
export type Attempt<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** The reply of a call, when it was sent, and its duration, ms. */
interface Received<Value> {
  value: Value;
  sentAt: number;
  latencyMs: number;
}

/** Timeout of one call, ms, as in the SDK: until a parsed body has been read. */
export interface RequestBounds {
  timeout: number;
}

/** How a kind of request is sent with the SDK and read as plain data; null for a body of another kind. */
interface Kind<Value> {
  send(client: OpenAI, bounds: RequestBounds): Promise<Value | null>;
  /** Name of the expected body, for errors. */
  name: string;
}

/**
 * One request through the SDK, with its duration; never throws. Some endpoints echo what they received, and their
 * replies are published. So every reply and error is redacted here, including fields that are not read.
 */
export async function requestOnce<Value>(
  endpoint: Endpoint,
  { send, name }: Kind<Value>,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt<Received<Value>>> {
  const { client, redact } = callerOf(endpoint, now);
  const sentAt = now();
  try {
    const value = await send(client, { timeout: timeoutMs });
    if (value === null) return { ok: false, failure: anotherBody(name) };
    const latencyMs = now() - sentAt;
    return { ok: true, value: { value: redactDeep(value, redact) as Value, sentAt, latencyMs } };
  } catch (error) {
    const failure = failureOf(error, now(), redact);
    const isOverdue = failure.class === "timeout" && failure.httpStatus === null;
    return { ok: false, failure: isOverdue ? timedOut(failure, timeoutMs) : failure };
  }
}

/** An answer, and whether it came in a stream: some endpoints answer without. */
export interface Completion {
  answer: Answer;
  isStreamed: boolean;
}

/** One chat completion, streamed if the body says so; never throws. */
export async function completeOnce(
  endpoint: Endpoint,
  body: JsonObject,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt<Completion>> {
  const kind: Kind<Completion & { httpStatus: number; arrivedAt: number | null }> = {
    name: "a chat completion",
    async send(client, bounds) {
      const { data, response, arrivedAt } = body["stream"]
        ? await streamed(client, body, bounds, now)
        : await unstreamed(client, body, bounds);
      throwError(data, response);
      const answer = readCompletion(data, response.headers.get("x-inference-source"));
      const isStreamed = isEventStream(response);
      return answer && { answer, isStreamed, httpStatus: response.status, arrivedAt };
    },
  };
  const attempt = await requestOnce(endpoint, kind, timeoutMs, now);
  if (!attempt.ok) return attempt;
  const { value, sentAt, latencyMs } = attempt.value;
  const { isStreamed, httpStatus, arrivedAt } = value;
  const firstByteMs = arrivedAt === null ? null : arrivedAt - sentAt;
  const answer = { ...boundedAnswer(value.answer), httpStatus, latencyMs, firstByteMs };
  return { ok: true, value: { answer, isStreamed } };
}

/** Some gateways hand on an error with status 200, as the whole body. */
function throwError(data: unknown, { headers }: Response): void {
  if (!isJsonObject(data) || data["choices"] != null || !isJsonObject(data["error"])) return;
  throw new APIError(undefined, data["error"], undefined, headers);
}

/** The body of a completion, and when its first byte arrived. */
interface Completed {
  data: unknown;
  response: Response;
  arrivedAt: number | null;
}

async function unstreamed(
  client: OpenAI,
  body: JsonObject,
  bounds: RequestBounds,
): Promise<Completed> {
  const asked = client.chat.completions.create(body as never, bounds);
  const { data, response } = await asked.withResponse();
  return { data, response, arrivedAt: headersAt(response) };
}

/** Headers of a stream say nothing: its first byte is that of the answer. */
async function streamed(
  client: OpenAI,
  body: JsonObject,
  { timeout }: RequestBounds,
  now: () => number,
): Promise<Completed> {
  const signal = AbortSignal.timeout(timeout);
  const asked = client.chat.completions.create(body as never, { timeout, signal });
  const response = await asked.asResponse();
  if (!isEventStream(response)) {
    const isJson = response.headers.get("content-type")?.includes("json");
    const data = isJson ? await response.json() : await response.text();
    return { data, response, arrivedAt: headersAt(response) };
  }
  const { body: data, firstPartAt } = await readStream(response, signal, now);
  return { data, response, arrivedAt: firstPartAt };
}

/** Shared by the requests of a lane: the client, and the redaction of the endpoint's secrets. */
interface Caller {
  client: OpenAI;
  redact: Redact;
}

const callers = new WeakMap<Endpoint, Caller>();

function callerOf(endpoint: Endpoint, now: () => number): Caller {
  const caller = callers.get(endpoint) ?? {
    client: clientOf(endpoint, now),
    redact: redactor(secretsOf(endpoint)),
  };
  callers.set(endpoint, caller);
  return caller;
}

/** The bare SDK: no retries, no log (it would contain headers), and nothing from the environment. */
function clientOf({ baseUrl, apiKey, headers }: Endpoint, now: () => number): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    organization: null,
    project: null,
    logLevel: "off",
    maxRetries: 0,
    fetch: guardedFetch(now),
    defaultHeaders: {
      "user-agent": "assay",
      ...(apiKey === undefined && { authorization: null }),
      ...headers,
    },
  });
}

/** A 200 with another body, such as a proxy's page or a truncated body; worth a retry. */
const anotherBody = (name: string): Failure => ({
  class: "invalid_response",
  retryable: true,
  httpStatus: 200,
  retryAfterMs: null,
  message: `the response is not ${name}`,
  param: null,
});

const timedOut = (failure: Failure, timeoutMs: number): Failure => ({
  ...failure,
  message: `no answer within ${timeoutMs} ms`,
});
