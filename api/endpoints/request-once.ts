import OpenAI from "openai";
import type { Answer } from "#shared/contracts/answer.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import { type Redact, redactDeep, redactor, secretsOf } from "../security/redact.ts";
import { type Failure, failureOf } from "./failure.ts";
import { guardedFetch, type Timing } from "./guarded-fetch.ts";
import { readCompletion } from "./read-completion.ts";

/** The SDK insists on a key; where there is none, its header is left out. */
const NO_KEY = "none";

type Fetch = typeof globalThis.fetch;

export type Attempt = { ok: true; answer: Answer } | { ok: false; failure: Failure };

/** One request through the SDK, with its times; never throws. */
export async function requestOnce(
  endpoint: Endpoint,
  body: JsonObject,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt> {
  const timing: Timing = { headersAt: null };
  const redact = redactor(secretsOf(endpoint));
  const sentAt = now();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { data, response } = await clientOf(endpoint, timeoutMs, guardedFetch(timing, now))
      .chat.completions.create(body as never, { signal })
      .withResponse();
    const answer = readCompletion(data, response.headers.get("x-inference-source"));
    if (answer === null) return { ok: false, failure: notACompletion(response.status) };
    return {
      ok: true,
      answer: {
        ...withoutSecrets(answer, redact),
        latencyMs: now() - sentAt,
        firstByteMs: timing.headersAt === null ? null : timing.headersAt - sentAt,
        httpStatus: response.status,
      },
    };
  } catch (error) {
    if (signal.aborted) return { ok: false, failure: timedOut(timeoutMs) };
    return { ok: false, failure: failureOf(error, now(), redact) };
  }
}

/**
 * The SDK with nothing of its own: no retries, no log (which would name headers), and nothing from
 * the environment that it would send along.
 */
function clientOf({ baseUrl, apiKey, headers }: Endpoint, timeout: number, fetch: Fetch): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    ...{ organization: null, project: null, logLevel: "off", maxRetries: 0, timeout, fetch },
    defaultHeaders: {
      "user-agent": "assay",
      ...(apiKey === undefined && { authorization: null }),
      ...headers,
    },
  });
}

/** Some endpoints repeat what they were sent, and answers are published. */
function withoutSecrets(answer: Answer, redact: Redact): Answer {
  const { output, refusal, toolCalls, finishReason, source } = answer;
  const said = redactDeep({ output, refusal, toolCalls, finishReason, source }, redact);
  return { ...answer, ...(said as typeof answer) };
}

/** A 200 whose body is no completion: a proxy's page or a half-sent body, so worth another try. */
const notACompletion = (httpStatus: number): Failure => ({
  class: "invalid_response",
  retryable: true,
  httpStatus,
  retryAfterMs: null,
  message: "the response is not a chat completion",
  param: null,
});

const timedOut = (timeoutMs: number): Failure => ({
  class: "timeout",
  retryable: true,
  httpStatus: null,
  retryAfterMs: null,
  message: `no answer within ${timeoutMs} ms`,
  param: null,
});
