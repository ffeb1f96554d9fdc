import type { idempotencyKeys } from "./schema.ts";

/** Samples taken from a key's quota of a day (YYYY-MM-DD, UTC). */
export interface Charge {
  key: string;
  day: string;
  samples: number;
  allowed: number;
}

/** What keys have taken of their daily quotas. */
export interface UsageStore {
  used(key: string, day: string): Promise<number>;
}

export type IdempotencyRecord = typeof idempotencyKeys.$inferSelect;

/** Idempotency keys and the ids that they reserve. */
export interface IdempotencyStore {
  /** The record under the key: the wanted one, or an earlier one made after `forgottenAt`. */
  reserve(wanted: IdempotencyRecord, forgottenAt: number): Promise<IdempotencyRecord>;
  /** Changes until when the id is reserved; false where another did so before. */
  renew(held: IdempotencyRecord, reservedUntil: number): Promise<boolean>;
  /** Frees the key unless another has taken it over. */
  release(held: IdempotencyRecord): Promise<void>;
  prune(forgottenAt: number): Promise<void>;
}

/** Kinds of requests, each with a limit of its own. */
export type RequestKind = "read" | "write" | "public-read" | "comparison" | "failed-authentication";

/** Counts requests over some seconds; approximate, and per location. */
export interface RateLimiter {
  allows(kind: RequestKind, caller: string): Promise<boolean>;
  /** After so long the count begins again. */
  periodSeconds(kind: RequestKind): number;
}
