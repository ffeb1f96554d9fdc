/**
 * Limits of an invocation of a Worker. Sources, read 2026-11-24, below developers.cloudflare.com:
 * W workers/platform/limits, D d1/platform/limits, Q queues/platform/limits, R r2/platform/limits.
 */
export interface Limits {
  /** Per invocation: requests to other hosts, and to Cloudflare's services and other Workers of the account (W). */
  subrequests: number;
  internal: number;
  /** D1 queries per invocation; each statement of a batch counts (D). */
  d1Queries: number;
  d1Parameters: number;
  d1StatementBytes: number;
  /** Size of a string, a BLOB or a row (D). */
  d1ValueBytes: number;
  d1DatabaseBytes: number;
  /** Time of a call in the database; a longer call resets the database (D). */
  d1QueryMs: number;
  /**
   * Time that a call waits for earlier calls before it fails as overloaded. No page documents it: this is the maximum
   * time of one call.
   */
  d1QueuedMs: number;
  /** Requests that wait for response headers at once; further requests wait (W). */
  connections: number;
  /** Message size, of which the platform's own bytes; messages and bytes per call (Q: 1 KB is 1,000 bytes). */
  messageBytes: number;
  messageOwnBytes: number;
  batchMessages: number;
  batchBytes: number;
  /** Maximum delay of a message (Q). */
  delaySeconds: number;
  /** Memory of an isolate, shared by all its requests (W). */
  heapMb: number;
  /** CPU time per invocation (W); not enforced for the Free plan, whose limit is too short to measure here. */
  cpuMs: number;
  /** Duration of a batch or a cron trigger (W, Q). */
  wallMs: number;
  /** Time of `waitUntil` after the response (W). */
  afterResponseMs: number;
  /** Minimum time between two writes of an object (R). */
  r2KeyMs: number;
}

/** `cpuMs`: from the Worker's upload. Subrequests always have the default, even if the Worker configures more. */
export const limitsOf = (plan: "free" | "paid", cpuMs = 30_000): Limits => ({
  subrequests: plan === "free" ? 50 : 10_000,
  internal: plan === "free" ? 1_000 : 10_000,
  d1Queries: plan === "free" ? 50 : 1_000,
  d1Parameters: 100,
  d1StatementBytes: 100_000,
  d1ValueBytes: 2_000_000,
  d1DatabaseBytes: plan === "free" ? 500_000_000 : 10_000_000_000,
  d1QueryMs: 30_000,
  d1QueuedMs: 30_000,
  connections: 6,
  messageBytes: 128_000,
  messageOwnBytes: 100,
  batchMessages: 100,
  batchBytes: 256_000,
  delaySeconds: 86_400,
  heapMb: 128,
  cpuMs: plan === "free" ? 10 : cpuMs,
  wallMs: 15 * 60_000,
  afterResponseMs: 30_000,
  r2KeyMs: 1_000,
});

/** A round-trip time, ms: constant, or a range. */
type Distance = number | readonly [number, number];

/** Round-trip times of the services. */
export interface Distances {
  d1: Distance;
  r2: Distance;
  queues: Distance;
  /** Time that a write occupies the database, ms; further statements wait. */
  d1WriteMs?: number;
}

/** Current faults of the platform; each lasts until a Date.now() time, 0: no fault. */
export interface Faults {
  /** Each D1 call fails. */
  d1AwayUntil: number;
  /** Each R2 call that writes fails. */
  r2RefusesUntil: number;
  /** How far the Workers' clock is ahead, ms. */
  aheadMs: number;
}

/** The usage of one invocation, for everything that has a limit. */
export interface Usage {
  worker: string;
  kind: "fetch" | "queue" | "scheduled";
  /** The trigger: the path, the queue or the cron expression. */
  of: string;
  /** Id of the call that started the invocation. */
  call: string;
  ms: number;
  external: number;
  internal: number;
  d1Queries: number;
  d1Calls: number;
  /** Calls with writes. */
  d1Transactions: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  r2Reads: number;
  r2Writes: number;
  r2Lists: number;
  /** Bytes written to buckets. */
  r2Bytes: number;
  /** Maximum number of requests without headers at once, including those waiting for a connection. */
  connections: number;
  /** Requests that waited for a connection, and their total waiting time, ms. */
  waited: number;
  waitedMs: number;
  largestMessageBytes: number;
  largestBatchBytes: number;
  largestBatch: number;
  longestDelaySeconds: number;
  largestValueBytes: number;
  largestStatementBytes: number;
  parameters: number;
  /** Maximum time of a call in the database, and maximum time a call waited for earlier calls, ms. */
  d1LongestMs: number;
  d1QueuedMs: number;
  /** Last reported size of the database. */
  d1DatabaseBytes: number;
  /** Requests to other hosts without User-Agent, and responses that were neither read nor cancelled. */
  withoutAgent: number;
  openBodies: number;
  /** Maximum number of writes of one key within `r2KeyMs`. */
  keyWrites: number;
  /** Maximum use of a rate limit by one caller in one period at one location, %. */
  rateLimitPercent: number;
  /** Time that the invocation continued after its response, ms. */
  afterMs: number;
  /**
   * CPU time of the whole runtime during the invocation, ms, shared equally with parallel invocations. It includes
   * databases, buckets and the way to them, so it is an upper bound for an invocation that ran alone. Null: not measured.
   */
  cpuMs: number | null;
  ranAlone: boolean;
  /** Messages of the limits that were exceeded. */
  refused: string[];
}

/** A message sent to a queue. */
export interface SentMessage {
  body: unknown;
  delaySeconds: number;
}
