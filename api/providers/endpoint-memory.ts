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
