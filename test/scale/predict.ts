import { costUsd } from "../bench/cost/prices.ts";
import { type Deployment, databaseMs, type SampleDemand } from "./demand.ts";

/** USD per GB and month in R2 and D1 (/r2/pricing, /d1/platform/pricing; read on 2026-11-21), and days per month. */
const STORAGE = { r2: 0.015, d1: 0.75, days: 30 };

/** The used share of a limit; above 1 the deployment can't process the load. */
interface LimitUse {
  name: string;
  share: number;
  allows: string;
  lift: string;
}

export interface Prediction {
  samplesPerDay: number;
  /** Most used first. */
  uses: LimitUse[];
  /** The highest load that this deployment can process. */
  mostPerDay: number;
  /** Time for a day's samples at full speed. */
  hours: number;
  daysUntilFull: number;
  /** Cost beyond the plan's included amounts; storage is that of one month's samples. */
  usdPerMonth: { running: number; storage: number };
}

/** Predicts a deployment's use of each limit, the cost, and the day on which its database is full. */
export function predict(
  samplesPerDay: number,
  demand: SampleDemand,
  deployment: Deployment,
): Prediction {
  const rate = perSecond(samplesPerDay);
  const uses = limits
    .map(({ samplesPerSecond, allows, ...limit }) => ({
      ...limit,
      allows: allows(deployment),
      share: rate / samplesPerSecond(demand, deployment),
    }))
    .sort((a, b) => b.share - a.share);
  const samples = samplesPerDay * STORAGE.days;
  const { r2Bytes, d1Bytes } = demand;
  return {
    samplesPerDay,
    uses,
    mostPerDay: samplesPerDay / (uses[0]?.share ?? 0),
    hours: 24 * (uses[0]?.share ?? 0),
    daysUntilFull: daysUntilFull(samplesPerDay, demand, deployment),
    usdPerMonth: {
      running: costUsd(demand) * samples,
      storage: (samples * (r2Bytes * STORAGE.r2 + d1Bytes * STORAGE.d1)) / 1e9,
    },
  };
}

const DAY_S = 86_400;

/** A limit of the platform on samples per second. */
interface Limit {
  name: string;
  /** The available amount and the platform's limit in words, with the source on developers.cloudflare.com. */
  allows(deployment: Deployment): string;
  /** Samples per second at which the limit is reached. */
  samplesPerSecond(demand: SampleDemand, deployment: Deployment): number;
  /** How to raise the limit. */
  lift: string;
}

/** Limits on the rate, from the platform's documentation of 2026-11-21. */
const limits: readonly Limit[] = [
  {
    name: "requests in flight",
    allows: ({ consumers, requestsEach }) =>
      `${consumers} consumers with ${requestsEach} each here; at most 6 connections per invocation, 250 consumers per queue (/workers/platform/limits, /queues/platform/limits)`,
    samplesPerSecond: ({ latencyMs }, { consumers, requestsEach }) =>
      (consumers * requestsEach) / (latencyMs / 1000),
    lift: "LANES_MAX and max_concurrency of the queues in wrangler.toml, and ENDPOINT_CONCURRENCY_MAX if all runs call one endpoint",
  },
  {
    name: "calls to D1",
    allows: ({ databases, commitMs, readMs }) =>
      `${databases} ${databases === 1 ? "database" : "databases"} of one thread (/d1/platform/limits), ${commitMs} ms per writing call, ${readMs} ms per reading call`,
    samplesPerSecond: (demand, deployment) =>
      (deployment.databases * 1000) / databaseMs(demand, deployment),
    lift: "runs spread over several databases, by the run's id",
  },
  {
    name: "queue messages",
    allows: () => "5,000 messages per second and queue (/queues/platform/limits)",
    samplesPerSecond: ({ queueOperations }) => 5_000 / (queueOperations / 3),
    lift: "more queues for lanes in wrangler.toml",
  },
  {
    name: "writes to R2",
    allows: () =>
      "one write per second and key (/r2/platform/limits), any number of keys: each object here has its own",
    samplesPerSecond: () => Number.POSITIVE_INFINITY,
    lift: "nothing: no two commits write to one key",
  },
];

/** Maximum size of a database, bytes (/d1/platform/limits). */
const DATABASE_BYTES = 10e9;

/** Days until the databases are full if all samples stay in them. */
const daysUntilFull = (
  samplesPerDay: number,
  { d1Bytes }: SampleDemand,
  { databases }: Deployment,
): number => (databases * DATABASE_BYTES) / (samplesPerDay * d1Bytes);

const perSecond = (samplesPerDay: number): number => samplesPerDay / DAY_S;
