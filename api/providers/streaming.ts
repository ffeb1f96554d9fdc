import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt, Completion } from "./request-once.ts";

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
 * The end of a streamed request. Requests are streamed: a stream's headers come at once, so it takes none of the six
 * connections of an invocation that may wait for headers, and proxies with a limit on silence don't cut it. Not every
 * endpoint streams, or counts tokens then: such a one is asked without from then on.
 * Source: developers.cloudflare.com, workers/platform/limits, simultaneous open connections.
 * Until one has worked, `uselessStream` if it is to be sent again without a stream.
 */
export function afterStream(
  { streams }: EndpointMemory,
  end: Attempt<Completion>,
): Attempt<Completion> {
  const isStreamed = end.ok && end.value.isStreamed;
  if (isStreamed && end.value.answer.outputTokens !== null) streams.work = true;
  const isUseless = end.ok ? isStreamed : end.failure.param === "stream";
  return isUseless && !streams.work ? { ok: false, failure: uselessStream } : end;
}
