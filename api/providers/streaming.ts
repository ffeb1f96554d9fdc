import type { JsonObject } from "#shared/contracts/json.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt, Completion } from "./request-once.ts";

/**
 * Whether requests are streamed. A stream's headers come at once, so it takes none of the six connections of an
 * invocation that may wait for headers, and proxies with a limit on silence don't cut it. Not every endpoint streams, or
 * counts tokens then: one request tries it, while the others are sent without.
 * Source: developers.cloudflare.com, workers/platform/limits, simultaneous open connections.
 */

/** Fields of a streamed request. */
export const streamFields: JsonObject = { stream: true, stream_options: { include_usage: true } };

/** Whether the next request is to be streamed. Of an endpoint that was not tried yet, one at a time. */
export function takeStream({ streams, refusedParameters }: EndpointMemory): boolean {
  if (refusedParameters.has("stream") || streams.state === "trying") return false;
  if (streams.state === "untried") streams.state = "trying";
  return true;
}

/**
 * The end of a request without a stream. While a stream is tried, its first byte says something else than that of the
 * others, and is left out.
 */
export function afterWhole(
  { refusedParameters }: EndpointMemory,
  end: Attempt<Completion>,
): Attempt<Completion> {
  if (!end.ok || refusedParameters.has("stream")) return end;
  return { ok: true, value: { ...end.value, answer: { ...end.value.answer, firstByteMs: null } } };
}

/** A stream that broke off or has no token counts, although the endpoint may count them without one. */
export const uselessStream: Failure = {
  class: "invalid_response",
  retryable: true,
  httpStatus: 200,
  retryAfterMs: null,
  message: "the stream broke off, or had no token counts",
  param: null,
};

/**
 * The end of a streamed request, from which is learnt. The first stream of an endpoint fails with `uselessStream` if it
 * is to be sent again without a stream.
 */
export function afterStream(
  { streams }: EndpointMemory,
  end: Attempt<Completion>,
): Attempt<Completion> {
  if (streams.state !== "trying") return end;
  const isStreamed = end.ok && end.value.isStreamed;
  const works = isStreamed && end.value.answer.outputTokens !== null;
  streams.state = works ? "work" : "untried";
  const isUseless = end.ok ? isStreamed && !works : end.failure.param === "stream";
  return isUseless ? { ok: false, failure: uselessStream } : end;
}
