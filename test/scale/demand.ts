import type { BenchResult } from "../bench/bench.ts";

/** What one sample asks of the platform, as `npm run bench -- cost` measures it, and of its endpoint. */
export interface SampleDemand {
  /** Time that the endpoint takes to answer, ms. */
  latencyMs: number;
  cpuMs: number;
  invocations: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  /** What its row takes in the database, bytes. */
  d1Bytes: number;
  queueOperations: number;
  r2ClassA: number;
  r2ClassB: number;
  /** What its answer takes in the store, bytes. */
  r2Bytes: number;
}

/** How a deployment is set up. */
export interface Deployment {
  /** Consumers of the queue of lanes at once, and requests that each has in flight. */
  consumers: number;
  requestsEach: number;
  /** Databases that runs are spread over. */
  databases: number;
  /** Time that a database spends on one commit, ms; a commit is what an object of answers is written for. */
  commitMs: number;
}

/** `max_concurrency` of wrangler.toml, the five requests of a lane, one database. */
export const standardDeployment: Deployment = {
  ...{ consumers: 40, requestsEach: 5, databases: 1, commitMs: 10 },
};

/** Samples a day, and the mean time of an endpoint to answer, that predictions are made for unless told. */
export const usualLoads: readonly number[] = [1e5, 1e6, 1e7, 1e8];
export const usualLatencyMs = 2_000;

const costRows = {
  cpuMs: "cost/cpu",
  invocations: "cost/invocations",
  d1RowsRead: "cost/d1-rows-read",
  d1RowsWritten: "cost/d1-rows-written",
  d1Bytes: "cost/d1-bytes",
  queueOperations: "cost/queue-operations",
  r2ClassA: "cost/r2-writes",
  r2ClassB: "cost/r2-reads",
  r2Bytes: "cost/r2-bytes",
} as const;

/** What a sample was measured to ask; throws where that is not among the results. */
export function demandOf(results: readonly BenchResult[], latencyMs: number): SampleDemand {
  const measuredBy = (row: string) => {
    const result = results.find(({ name }) => name === row);
    if (!result) throw new Error(`${row} is not recorded: npm run bench -- cost --record`);
    return result.value;
  };
  const measured = Object.entries(costRows).map(([part, row]) => [part, measuredBy(row)]);
  return { ...Object.fromEntries(measured), latencyMs } as SampleDemand;
}
