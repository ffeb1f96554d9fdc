/** What one lane has learnt of its endpoint: shared by its requests, kept with the run but for schemas. */
export interface EndpointMemory {
  /** Answers 429 and 503 since the last commit. */
  overloads: number;
  refusedModes: Set<string>;
  refusedParameters: Set<string>;
  /** Structured-output modes with schemas that the endpoint refused in them. */
  refusedSchemas: Set<string>;
  notes: string[];
}

/**
 * What is known of an endpoint at first.
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
  refusedModes: new Set(modes),
  refusedParameters: new Set(parameters),
  refusedSchemas: new Set(),
  notes: [],
});
