import type { BenchResult } from "../bench/bench.ts";
import { costFigures, costLatencies, costRow } from "../bench/cost/cost-row.ts";

/** What one sample asks of the platform, as `npm run bench -- cost` measures it, and of its endpoint. */
export interface SampleDemand {
  /** Time that the endpoint takes to answer, ms. */
  latencyMs: number;
  cpuMs: number;
  invocations: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  /** Calls to the database, and those of them that write. */
  d1Calls: number;
  d1Transactions: number;
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
  /** Lanes at work at once, and requests that each has in flight. */
  consumers: number;
  requestsEach: number;
  /** Databases that runs are spread over. */
  databases: number;
  /** Time that a database spends on one call that writes, and on one that reads, ms. */
  commitMs: number;
  readMs: number;
}

/**
 * `LANES_MAX` of wrangler.toml, the five requests of a lane, one database. Its times are assumed: that of a read is
 * the one by which /d1/platform/limits counts a thousand queries a second.
 */
export const standardDeployment: Deployment = {
  consumers: 48,
  requestsEach: 5,
  databases: 1,
  commitMs: 10,
  readMs: 1,
};

/** Time that a database spends on one sample, ms. */
export const databaseMs = (
  { d1Calls, d1Transactions }: SampleDemand,
  { commitMs, readMs }: Deployment,
): number => d1Transactions * commitMs + (d1Calls - d1Transactions) * readMs;

/** Samples a day, and the mean time of an endpoint to answer, that predictions are made for unless told. */
export const usualLoads: readonly number[] = [1e5, 1e6, 1e7, 1e8];
export const usualLatencyMs = 2_000;

/**
 * What a sample asks at an endpoint that takes so long: on the line between the two latencies nearest to it that were
 * measured, and of slower ones as of the slowest. Throws where a row of these is not among the results.
 */
export function demandOf(results: readonly BenchResult[], latencyMs: number): SampleDemand {
  const measured = (figure: string, at: number) => {
    const row = costRow(figure, at);
    const result = results.find(({ name }) => name === row);
    if (!result) throw new Error(`${row} is not recorded: npm run bench -- cost --record`);
    return result.value;
  };
  const above = costLatencies.find((at) => at >= latencyMs) ?? costLatencies.at(-1)!;
  const below = costLatencies.findLast((at) => at <= latencyMs) ?? costLatencies[0];
  const share = above > below ? (latencyMs - below) / (above - below) : 0;
  const asked = Object.entries(costFigures).map(([part, figure]) => {
    const from = measured(figure, below);
    return [part, from + share * (measured(figure, above) - from)];
  });
  return { ...Object.fromEntries(asked), latencyMs } as SampleDemand;
}
