import type { Billed } from "../bench/cost/prices.ts";

/** What was asked of the platform, in all or for one sample. */
export interface Asked extends Billed {
  /** Calls to the database, and those of them that wrote. */
  d1Calls: number;
  d1Transactions: number;
  /** What it takes in the database, and in the store, bytes. */
  d1Bytes: number;
  r2Bytes: number;
}

/** What a run took that was measured. */
export interface MeasuredLoad {
  /** Distance of the database, ms. */
  d1Ms: number;
  /** Consumers more after each batch. */
  growth: number;
  samples: number;
  /** Mean of the endpoint's answers, ms. */
  latencyMs: number;
  /** Requests at once. */
  atOnce: number;
  isStreamed: boolean;
  /** Requests to judges, an answer. */
  judgeRequests: number;
  wallMs: number;
  /** Wall time of a pool without any overhead, with the same answers, ms; null: not compared. */
  poolMs: number | null;
  /** Messages that started lanes. */
  messages: number;
  /** Of the platform, for one sample, and what a million cost, USD. */
  asked: Asked;
  usd: number;
}
