import { costUsd } from "../bench/cost/prices.ts";
import { type Deployment, databaseMs, type SampleDemand } from "./demand.ts";

/** USD a GB and month of what lies in R2 and D1 (/r2/pricing, /d1/platform/pricing; read on 2026-11-21), and days of a month. */
const STORAGE = { r2: 0.015, d1: 0.75, days: 30 };

/** How much of a bound is used: above 1 the load can't be borne. */
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
  /** Time in which a day's samples are done at full speed. */
  hours: number;
  daysUntilFull: number;
  /** Beyond what a plan includes; storage is that of all samples of one month. */
  usdPerMonth: { running: number; storage: number };
}

/** What a load means for a deployment: how near each bound is, what it costs, when its database is full. */
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

/** One bound of the platform on how many samples a second there can be. */
interface Limit {
  name: string;
  /** What there is of it, and what the platform allows, in words, with the page of developers.cloudflare.com that says so. */
  allows(deployment: Deployment): string;
  /** Samples a second at which it is met. */
  samplesPerSecond(demand: SampleDemand, deployment: Deployment): number;
  /** What to change when it is met. */
  lift: string;
}

/** Bounds on the rate, by the platform's documentation as of 2026-11-21. */
const limits: readonly Limit[] = [
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
const daysUntilFull = (
  samplesPerDay: number,
  { d1Bytes }: SampleDemand,
  { databases }: Deployment,
): number => (databases * DATABASE_BYTES) / (samplesPerDay * d1Bytes);

const perSecond = (samplesPerDay: number): number => samplesPerDay / DAY_S;
