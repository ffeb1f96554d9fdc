/**
 * What an invocation of a Worker may do. Sources, read 2026-11-24, below developers.cloudflare.com:
 * W workers/platform/limits, D d1/platform/limits, Q queues/platform/limits, R r2/platform/limits.
 */
export interface Limits {
  /** Requests to other hosts, and to services of Cloudflare and other Workers of the account, of one invocation (W). */
  subrequests: number;
  internal: number;
  /** D1 queries of one invocation; each statement of a batch is one (D). */
  d1Queries: number;
  d1Parameters: number;
  d1StatementBytes: number;
  /** Of a string, a BLOB or a row (D). */
  d1ValueBytes: number;
  d1DatabaseBytes: number;
  /** A call that the database works on for longer resets it (D). */
  d1QueryMs: number;
  /**
   * A call that waits longer for earlier calls fails because the database is overloaded. No page has a number: this
   * is the longest that one call may hold up the others.
   */
  d1QueuedMs: number;
  /** Requests whose headers have not come; the next ones wait (W). */
  connections: number;
  /** A message, with what the platform adds to it; those of one call; their bytes (Q: 1 KB is 1,000 bytes). */
  messageBytes: number;
  messageOwnBytes: number;
  batchMessages: number;
  batchBytes: number;
  /** The longest delay of a message (Q). */
  delaySeconds: number;
  /** Of one isolate, which all requests share that it answers (W). */
  heapMb: number;
  /** CPU time of one invocation (W): left out on the Free plan, where it is less than can be told apart here. */
  cpuMs: number;
  /** From the beginning to the end of a batch or a cron trigger (W, Q). */
  wallMs: number;
  /** What `waitUntil` may go on for once a response is sent (W). */
  afterResponseMs: number;
  /** Writes of one object are refused that come sooner after the last one (R). */
  r2KeyMs: number;
}

/** `cpuMs`: as the Worker was uploaded with. Of subrequests always the default, also where it asks for more. */
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

/** How far away a thing is, ms: always as far, or from–to. */
type Distance = number | readonly [number, number];

/** How far away things are, and back. */
export interface Distances {
  d1: Distance;
  r2: Distance;
  queues: Distance;
  /** For how long a statement that writes has the database for itself, ms; the next ones wait. */
  d1WriteMs?: number;
}

/** How the platform is now: until when something is out of order, as Date.now() has it; 0: it works. */
export interface Faults {
  /** Each D1 call fails. */
  d1AwayUntil: number;
  /** Each R2 call that writes fails. */
  r2RefusesUntil: number;
  /** How far the Workers' clock is ahead, ms. */
  aheadMs: number;
}

/** What one invocation did, as far as there is a limit. */
export interface Usage {
  worker: string;
  kind: "fetch" | "queue" | "scheduled";
  /** Of its beginning: the path, the queue or the cron expression. */
  of: string;
  /** What it was begun with, so that whoever began it knows it again. */
  call: string;
  ms: number;
  external: number;
  internal: number;
  d1Queries: number;
  d1Calls: number;
  /** Calls that wrote. */
  d1Transactions: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  r2Reads: number;
  r2Writes: number;
  r2Lists: number;
  /** Of what was put into buckets. */
  r2Bytes: number;
  /** Most requests at once whose headers had not come, those included that waited for a connection. */
  connections: number;
  /** Requests that waited for a connection, and for how long in all, ms. */
  waited: number;
  waitedMs: number;
  largestMessageBytes: number;
  largestBatchBytes: number;
  largestBatch: number;
  longestDelaySeconds: number;
  largestValueBytes: number;
  largestStatementBytes: number;
  parameters: number;
  /** Longest that the database worked on one call, and that a call waited for those before it, ms. */
  d1LongestMs: number;
  d1QueuedMs: number;
  /** Of the database, after the last call that said so. */
  d1DatabaseBytes: number;
  /** Requests to other hosts that named no User-Agent, and responses that were neither read nor cancelled. */
  withoutAgent: number;
  openBodies: number;
  /** Most writes of one key within the time of `r2KeyMs`. */
  keyWrites: number;
  /** Most that a caller used of a rate limit in its period at one location, %. */
  rateLimitPercent: number;
  /** How long it went on once its response was sent, ms. */
  afterMs: number;
  /**
   * CPU time of the whole runtime while it ran, ms, shared equally with those that ran at the same time; databases,
   * buckets and the way to them are in it, so that of one that ran alone it is an upper bound. Null: not measured.
   */
  cpuMs: number | null;
  ranAlone: boolean;
  /** Limits that were met, with what was asked. */
  refused: string[];
}

/** A message on its way to a queue. */
export interface SentMessage {
  body: unknown;
  delaySeconds: number;
}
