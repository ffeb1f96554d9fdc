import type { Billed } from "../bench/cost/prices.ts";

/** Use of the platform, in total or per sample. */
export interface Asked extends Billed {
  /** Number of database calls, and of those with writes. */
  d1Calls: number;
  d1Transactions: number;
  /** Size in the database and in the object store, bytes. */
  d1Bytes: number;
  r2Bytes: number;
}

/** The measured use of a run. */
export interface MeasuredLoad {
  /** Round-trip time of the database, ms. */
  d1Ms: number;
  /** Additional consumers after each batch. */
  growth: number;
  samples: number;
  /** Mean latency of the endpoint, ms. */
  latencyMs: number;
  /** Requests in flight. */
  atOnce: number;
  isStreamed: boolean;
  /** Requests to judges per answer. */
  judgeRequests: number;
  wallMs: number;
  /** Wall time of a pool without overhead for the same answers, ms; null: not compared. */
  poolMs: number | null;
  /** Number of messages that started lanes. */
  messages: number;
  /** Use of the platform per sample, and cost per million samples, USD. */
  asked: Asked;
  usd: number;
}
