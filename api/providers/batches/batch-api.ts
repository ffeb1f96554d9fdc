import type { JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { Failure } from "../failure.ts";
import type { BatchHttp } from "./batch-http.ts";

export interface BatchItem {
  /** At most 64 letters, digits, hyphens and underscores. */
  id: string;
  /** The body, as JSON text. */
  text: string;
}

export interface NewBatch {
  /** Our own id, by which a submitted batch is found again. */
  id: string;
  items: readonly BatchItem[];
}

/** The facts about a batch whose submission was not confirmed. */
export interface LostBatch {
  id: string;
  requests: number;
  /** Unix ms. */
  createdAt: number;
  /** Whether no other batch of ours has this provider id. */
  isFree: (providerId: string) => Promise<boolean>;
}

/** The result of a request: the body of a live reply, or why there is none. */
export type BatchResult = { id: string } & (
  | { status: number; body: unknown }
  | { failure: Failure }
);

/** The provider's status of a batch. */
export type BatchLook =
  | { kind: "open" }
  | {
      kind: "ended";
      /** Why some requests have no result. */
      missing: Failure;
      /** Results in any order; some may be missing. */
      results: () => AsyncIterable<BatchResult>;
      /** Paths of the provider's files that are no longer needed. */
      files: readonly string[];
    };

/** A provider's interface for batches. The methods throw what their requests throw. */
export interface BatchApi {
  /** Maximum requests and characters of one batch: within the provider's limits and our memory. */
  most: { requests: number; characters: number };
  /** Converts the body of a live request for a batch. */
  bodyOf(body: JsonObject): JsonObject;
  /** Returns the provider's id. */
  submit(http: BatchHttp, endpoint: Endpoint, batch: NewBatch): Promise<string>;
  /** Searches the provider's list for a batch; null: it never arrived. */
  find(http: BatchHttp, batch: LostBatch): Promise<string | null>;
  /** `ids`: ids of the requests, in order. */
  look(http: BatchHttp, providerId: string, ids: readonly string[]): Promise<BatchLook>;
  cancel(http: BatchHttp, providerId: string): Promise<void>;
}

/** Maximum characters of a batch, because it is held in memory; half an hour of tokens is less. */
export const MOST_CHARACTERS = 16_000_000;

/** The failure of an unanswered request; it is sent again, up to the limit of retries. */
export const unanswered = (kind: "timeout" | "server_error", message: string): Failure => ({
  class: kind,
  retryable: true,
  httpStatus: null,
  retryAfterMs: null,
  message,
  param: null,
});

export const expired = unanswered("timeout", "the provider's batch expired before it was answered");
export const cancelled = unanswered("server_error", "the batch was cancelled at the provider");
export const lost = unanswered("server_error", "the provider's batch has no result for it");
