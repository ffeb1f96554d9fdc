/** What an invocation of a Worker may do, and what the platform around it is like. */
export interface Limits {
  /** Requests to other hosts, and to other services of Cloudflare, of one invocation. */
  subrequests: number;
  internal: number;
  /** D1 queries of one invocation; each statement of a batch is one. */
  d1Queries: number;
  d1Parameters: number;
  d1StatementBytes: number;
  d1ValueBytes: number;
  /** Requests whose headers have not come; the next ones wait. */
  connections: number;
  messageBytes: number;
  batchMessages: number;
  batchBytes: number;
}

/** How far away things are, ms. */
export interface Distances {
  d1: number;
  r2: number;
  queues: number;
}

/**
 * Limits by plan. Source: developers.cloudflare.com, limits of Workers, D1 and Queues (read 2026-11-21).
 */
export const limitsOf = (plan: "free" | "paid"): Limits => ({
  subrequests: plan === "free" ? 50 : 10_000,
  internal: plan === "free" ? 1_000 : 10_000,
  d1Queries: plan === "free" ? 50 : 1_000,
  d1Parameters: 100,
  d1StatementBytes: 100_000,
  d1ValueBytes: 2_000_000,
  connections: 6,
  messageBytes: 128_000,
  batchMessages: 100,
  batchBytes: 256_000,
});

/** What one invocation did, as far as there is a limit. */
export interface Usage {
  worker: string;
  kind: "fetch" | "queue" | "scheduled";
  /** Of its beginning: the path, the queue or the cron expression. */
  of: string;
  ms: number;
  external: number;
  internal: number;
  d1Queries: number;
  d1Calls: number;
  r2Reads: number;
  r2Writes: number;
  /** Most requests at once whose headers had not come, those included that waited for a connection. */
  connections: number;
  /** Requests that waited for a connection, and for how long in all, ms. */
  waited: number;
  waitedMs: number;
  largestMessageBytes: number;
  largestValueBytes: number;
  /** Limits that were met, with what was asked. */
  refused: string[];
}

/** A message on its way to a queue. */
export interface SentMessage {
  body: unknown;
  delaySeconds: number;
}
