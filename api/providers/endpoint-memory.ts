/** What one lane knows about its endpoint. Shared by its requests; stored with the run except for schemas. */
export interface EndpointMemory {
  /** Number of 429 and 503 replies since the last commit. */
  overloads: number;
  /** HTTP requests sent by this holder of the lane. */
  requests: number;
  refusedModes: Set<string>;
  refusedParameters: Set<string>;
  /** Refused schemas, each with its structured-output mode. */
  refusedSchemas: Set<string>;
  notes: string[];
}

/**
 * Initial knowledge of an endpoint.
 * @example endpointMemory({ modes: ["json_schema"] }).refusedModes.size // 1
 */
export const endpointMemory = ({
  modes = [],
  parameters = [],
}: {
  modes?: readonly string[];
  parameters?: readonly string[];
} = {}): EndpointMemory => ({
  overloads: 0,
  requests: 0,
  refusedModes: new Set(modes),
  refusedParameters: new Set(parameters),
  refusedSchemas: new Set(),
  notes: [],
});
