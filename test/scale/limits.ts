import { type Deployment, databaseMs, type SampleDemand } from "./demand.ts";

const DAY_S = 86_400;

/** One bound of the platform on how many samples a second there can be. */
export interface Limit {
  name: string;
  /** What there is of it, and what the platform allows, in words, with the page of developers.cloudflare.com that says so. */
  allows(deployment: Deployment): string;
  /** Samples a second at which it is met. */
  samplesPerSecond(demand: SampleDemand, deployment: Deployment): number;
  /** What to change when it is met. */
  lift: string;
}

/** Bounds on the rate, by the platform's documentation as of 2026-11-21. */
export const limits: readonly Limit[] = [
  {
    name: "requests in flight",
    allows: ({ consumers, requestsEach }) =>
      `${consumers} consumers with ${requestsEach} each here; at most 6 connections an invocation, 250 consumers a queue (/workers/platform/limits, /queues/platform/limits)`,
    samplesPerSecond: ({ latencyMs }, { consumers, requestsEach }) =>
      (consumers * requestsEach) / (latencyMs / 1000),
    lift: "LANES_MAX and max_concurrency of the queues in wrangler.toml, and ENDPOINT_CONCURRENCY_MAX where all ask one endpoint",
  },
  {
    name: "calls to D1",
    allows: ({ databases, commitMs, readMs }) =>
      `${databases} ${databases === 1 ? "database" : "databases"} of one thread (/d1/platform/limits), ${commitMs} ms for a call that writes, ${readMs} ms for one that reads`,
    samplesPerSecond: (demand, deployment) =>
      (deployment.databases * 1000) / databaseMs(demand, deployment),
    lift: "runs spread over several databases, by the run's id",
  },
  {
    name: "queue messages",
    allows: () => "5,000 messages a second and queue (/queues/platform/limits)",
    samplesPerSecond: ({ queueOperations }) => 5_000 / (queueOperations / 3),
    lift: "more queues for lanes in wrangler.toml",
  },
  {
    name: "writes to R2",
    allows: () =>
      "one write a second and key (/r2/platform/limits), any number of keys: each object here has its own",
    samplesPerSecond: () => Number.POSITIVE_INFINITY,
    lift: "nothing: no two commits write to one key",
  },
];

/** Room for rows in one database, bytes (/d1/platform/limits). */
const DATABASE_BYTES = 10e9;

/** Days until a database is full, at a rate of samples a day that all stay. */
export const daysUntilFull = (
  samplesPerDay: number,
  { d1Bytes }: SampleDemand,
  { databases }: Deployment,
): number => (databases * DATABASE_BYTES) / (samplesPerDay * d1Bytes);

export const perSecond = (samplesPerDay: number): number => samplesPerDay / DAY_S;
