import type { Failure } from "./failure.ts";
import type { Attempt, Completion } from "./request-once.ts";

/** Number of HTTP requests that an invocation has sent. */
export interface RequestCount {
  sent: number;
  most: number;
}

/** What one lane knows about its endpoint. Shared by its requests; stored with the run, except schemas. */
export interface EndpointMemory {
  /** Number of 429 and 503 replies since the last commit. */
  overloads: number;
  /** Requests of this holder of the lane: one count for all endpoints that it calls. */
  requests: RequestCount;
  /** Whether a stream of the endpoint has worked; if streams are refused, `refusedParameters` has that. */
  streams: { work: boolean };
  refusedModes: Set<string>;
  refusedParameters: Set<string>;
  /** Refused schemas, each with its structured-output mode; shared by the lanes of an isolate. */
  refusedSchemas: Set<string>;
  /** Judges that their providers no longer have, by `provider:model`, with the provider's message. */
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

/** Failure of a stream that broke off or has no token counts; without a stream the endpoint may count them. */
export const uselessStream: Failure = {
  class: "invalid_response",
  retryable: true,
  httpStatus: 200,
  retryAfterMs: null,
  message: "the stream broke off, or had no token counts",
  param: null,
};

/**
 * Decides about a streamed request at its end. Requests are streamed because a stream's headers come at once: it
 * occupies none of the six connections of an invocation that may wait for headers, and proxies with a limit on silence
 * don't cut it. Some endpoints can't stream, or then don't count tokens: they get requests without streaming from then
 * on. Returns `uselessStream` if the request must be sent again without a stream, only until a stream has worked.
 * Source: developers.cloudflare.com, workers/platform/limits, simultaneous open connections.
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
