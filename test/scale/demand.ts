import type { Asked, MeasuredLoad } from "./measured-load.ts";

/** What one sample asks of the platform, as `npm run rehearse` measures it, and of its endpoint. */
export interface SampleDemand extends Asked {
  /** Time that the endpoint takes to answer, ms. */
  latencyMs: number;
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

/** Samples of the runs by which predictions are made: the cost of a longer one is lower. */
const SAMPLES = 1_200;

/** Runs that differ in the endpoint's latency alone, ascending by it. */
export const alike = (loads: readonly MeasuredLoad[]): MeasuredLoad[] =>
  loads
    .filter(
      ({ d1Ms, growth, samples, isStreamed, judgeRequests }) =>
        d1Ms === 60 && growth === 1 && samples === SAMPLES && isStreamed && judgeRequests === 0,
    )
    .toSorted((a, b) => a.latencyMs - b.latencyMs);

/**
 * What a sample asks at an endpoint that takes so long: on the line between the two latencies nearest to it that were
 * measured, and of slower ones as of the slowest.
 */
export function demandOf(loads: readonly MeasuredLoad[], latencyMs: number): SampleDemand {
  const measured = alike(loads);
  if (measured.length === 0) throw new Error("no run is recorded: npm run rehearse -- --record");
  const above = measured.find((one) => one.latencyMs >= latencyMs) ?? measured.at(-1)!;
  const below = measured.findLast((one) => one.latencyMs <= latencyMs) ?? measured[0]!;
  const span = above.latencyMs - below.latencyMs;
  const share = span > 0 ? (latencyMs - below.latencyMs) / span : 0;
  const asked = Object.entries(below.asked).map(([what, from]) => {
    const to = above.asked[what as keyof Asked];
    return [what, from + share * (to - from)];
  });
  return { ...(Object.fromEntries(asked) as unknown as Asked), latencyMs };
}
