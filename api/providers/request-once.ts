import OpenAI from "openai";
import { type Answer, boundedAnswer } from "#shared/contracts/answer.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type Redact, redactDeep, redactor, secretsOf } from "../security/redact.ts";
import { type Failure, failureOf } from "./failure.ts";
import { guardedFetch, headersAt } from "./guarded-fetch.ts";
import { readCompletion } from "./read-completion.ts";

/** The SDK insists on a key; where there is none, its header is left out. */
const NO_KEY = "none";

/** Result of one call. */
export type Attempt<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** What a call gave, when it was sent, and how long it took, ms. */
interface Received<Value> {
  value: Value;
  sentAt: number;
  latencyMs: number;
}

/** How long one call may take, ms, as the SDK takes it: until a body that it parses has been read. */
export interface RequestBounds {
  timeout: number;
}

/** How a kind of request is sent with the SDK, and read as plain data: null is a body of another kind. */
interface Kind<Value> {
  send(client: OpenAI, bounds: RequestBounds): Promise<Value | null>;
  /** What a body of another kind is not. */
  name: string;
}

/**
 * One request through the SDK, with its time; never throws. Some endpoints repeat what they were sent, and what they
 * say is published: all of a reply, and of a failure, is redacted here, whatever fields are read of it.
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

/** One chat completion; never throws. */
export async function completeOnce(
  endpoint: Endpoint,
  body: JsonObject,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt<Answer>> {
  const kind: Kind<{ answer: Answer; httpStatus: number; arrivedAt: number | null }> = {
    name: "a chat completion",
    async send(client, bounds) {
      const { data, response } = await client.chat.completions
        .create(body as never, bounds)
        .withResponse();
      const answer = readCompletion(data, response.headers.get("x-inference-source"));
      return answer && { answer, httpStatus: response.status, arrivedAt: headersAt(response) };
    },
  };
  const attempt = await requestOnce(endpoint, kind, timeoutMs, now);
  if (!attempt.ok) return attempt;
  const { value, sentAt, latencyMs } = attempt.value;
  const { answer, httpStatus, arrivedAt } = value;
  const firstByteMs = arrivedAt === null ? null : arrivedAt - sentAt;
  return { ok: true, value: { ...boundedAnswer(answer), httpStatus, latencyMs, firstByteMs } };
}

/** What the requests of a lane share: the client, and what keeps an endpoint's secrets out of what it says. */
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

/**
 * The SDK with nothing of its own: no retries, no log (which would name headers), and nothing from
 * the environment that it would send along.
 */
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

/** A 200 whose body is no completion: a proxy's page or a half-sent body, so worth another try. */
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
