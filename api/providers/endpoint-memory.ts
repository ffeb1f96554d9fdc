import type { Failure } from "./failure.ts";
import type { Attempt, Completion } from "./request-once.ts";

/** HTTP requests that an invocation has sent, of those that its plan allows. */
export interface RequestCount {
  sent: number;
  most: number;
}

/** What one lane knows about its endpoint. Shared by its requests; stored with the run except for schemas. */
export interface EndpointMemory {
  /** Number of 429 and 503 replies since the last commit. */
  overloads: number;
  /** Of this holder of the lane: one count for all endpoints that it calls. */
  requests: RequestCount;
  /** Whether a stream of the endpoint has worked; `refusedParameters` says that they don't. */
  streams: { work: boolean };
  refusedModes: Set<string>;
  refusedParameters: Set<string>;
  /** Refused schemas, each with its structured-output mode; shared by the lanes of an isolate. */
  refusedSchemas: Set<string>;
  /** Judges that their providers don't have, by `provider:model`, with what the provider said. */
  goneJudges: Map<string, string>;
  notes: string[];
}

/**
 * Initial knowledge of an endpoint.
 * @example endpointMemory({ modes: ["json_schema"] }).refusedModes.size // 1
 */
export const endpointMemory = ({
  modes = [],
  parameters = [],
  requests = { sent: 0, most: Number.POSITIVE_INFINITY },
}: {
  modes?: readonly string[];
  parameters?: readonly string[];
  requests?: RequestCount;
} = {}): EndpointMemory => ({
  overloads: 0,
  requests,
  streams: { work: false },
  refusedModes: new Set(modes),
  refusedParameters: new Set(parameters),
  refusedSchemas: new Set(),
  goneJudges: new Map(),
  notes: [],
});

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
