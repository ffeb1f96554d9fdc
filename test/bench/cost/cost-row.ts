/** Times that endpoints take to answer, ms, at which the cost of a sample is measured; ascending. */
export const costLatencies = [0, 500, 2_000] as const;

/** Name of the row of a figure of the cost, measured at an endpoint that takes so long. */
export const costRow = (figure: string, latencyMs: number): string =>
  latencyMs === 0 ? `cost/${figure}` : `cost/${figure}-${latencyMs}ms`;

/** The figure of the cost that says how much a sample asks of each thing. */
export const costFigures = {
  cpuMs: "cpu",
  invocations: "invocations",
  d1RowsRead: "d1-rows-read",
  d1RowsWritten: "d1-rows-written",
  d1Calls: "d1-calls",
  d1Transactions: "d1-transactions",
  d1Bytes: "d1-bytes",
  queueOperations: "queue-operations",
  r2ClassA: "r2-writes",
  r2ClassB: "r2-reads",
  r2Bytes: "r2-bytes",
} as const;
