import type { Asked, MeasuredLoad } from "./measured-load.ts";

/** A sample's use of the platform, measured by `npm run rehearse`, and of its endpoint. */
export interface SampleDemand extends Asked {
  /** Latency of the endpoint, ms. */
  latencyMs: number;
}

/** Size of a deployment. */
export interface Deployment {
  /** Parallel lanes, and requests in flight per lane. */
  consumers: number;
  requestsEach: number;
  /** Number of databases for runs. */
  databases: number;
  /** Time of a writing and of a reading call in the database, ms. */
  commitMs: number;
  readMs: number;
}

/**
 * `LANES_MAX` of wrangler.toml, five requests per lane, one database. The times are assumptions: that of a read is the
 * one behind the thousand queries per second of /d1/platform/limits.
 */
export const standardDeployment: Deployment = {
  consumers: 48,
  requestsEach: 5,
  databases: 1,
  commitMs: 10,
  readMs: 1,
};

/** Database time per sample, ms. */
export const databaseMs = (
  { d1Calls, d1Transactions }: SampleDemand,
  { commitMs, readMs }: Deployment,
): number => d1Transactions * commitMs + (d1Calls - d1Transactions) * readMs;

/** Default samples per day and mean latency of the endpoint for predictions. */
export const usualLoads: readonly number[] = [1e5, 1e6, 1e7, 1e8];
export const usualLatencyMs = 2_000;

/** Samples of the runs that predictions are based on; longer runs cost less per sample. */
const SAMPLES = 1_200;

/** Runs that differ only in the endpoint's latency, sorted by it. */
export const alike = (loads: readonly MeasuredLoad[]): MeasuredLoad[] =>
  loads
    .filter(
      ({ d1Ms, growth, samples, isStreamed, judgeRequests }) =>
        d1Ms === 60 && growth === 1 && samples === SAMPLES && isStreamed && judgeRequests === 0,
    )
    .toSorted((a, b) => a.latencyMs - b.latencyMs);

/**
 * A sample's demand at an endpoint with this latency: interpolated linearly between the nearest measured latencies, and
 * that of the slowest measurement beyond it.
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
