import OpenAI from "openai";
import type { Answer } from "#shared/contracts/answer.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import { type Failure, failureOf } from "./failure.ts";
import { guardedFetch, type Timing } from "./guarded-fetch.ts";
import { readCompletion } from "./read-completion.ts";

/** Sent where an endpoint takes no key: the SDK insists on one. */
const NO_KEY = "none";

export type Attempt = { ok: true; answer: Answer } | { ok: false; failure: Failure };

/** One request through the SDK, with its times; never throws. */
export async function requestOnce(
  endpoint: Endpoint,
  body: JsonObject,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt> {
  const timing: Timing = { headersAt: null };
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    apiKey: endpoint.apiKey ?? NO_KEY,
    defaultHeaders: { "user-agent": "assay", ...endpoint.headers },
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: guardedFetch(timing, now),
  });
  const sentAt = now();
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { data, response } = await client.chat.completions
      .create(body as never, { signal })
      .withResponse();
    const answer = readCompletion(data, response.headers.get("x-inference-source"));
    if (answer === null) return { ok: false, failure: notACompletion(response.status) };
    return {
      ok: true,
      answer: {
        ...answer,
        latencyMs: now() - sentAt,
        firstByteMs: timing.headersAt === null ? null : timing.headersAt - sentAt,
        httpStatus: response.status,
      },
    };
  } catch (error) {
    if (signal.aborted) return { ok: false, failure: timedOut(timeoutMs) };
    const failure = failureOf(error, now());
    return { ok: false, failure: { ...failure, message: redacted(failure.message, endpoint) } };
  }
}

/** Some endpoints repeat the key they refuse. */
function redacted(message: string, endpoint: Endpoint): string {
  const secrets = [endpoint.apiKey, ...Object.values(endpoint.headers ?? {})];
  return secrets.reduce<string>(
    (text, secret) => (secret ? text.replaceAll(secret, "[redacted]") : text),
    message,
  );
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
