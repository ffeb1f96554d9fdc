/** Times that endpoints take to answer, ms, at which the cost of a sample is measured; ascending. */
export const costLatencies = [0, 500, 2_000] as const;

/** Name of the row of a figure of the cost, measured at an endpoint that takes so long. */
export const costRow = (figure: string, latencyMs: number): string =>
  latencyMs === 0 ? `cost/${figure}` : `cost/${figure}-${latencyMs}ms`;
