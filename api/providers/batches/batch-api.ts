import type { JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { Failure } from "../failure.ts";
import type { BatchHttp } from "./batch-http.ts";

/** A request of a batch. */
export interface BatchItem {
  /** At most 64 letters, digits, hyphens and underscores. */
  id: string;
  /** The body, as JSON text. */
  text: string;
}

/** A batch to submit. */
export interface NewBatch {
  /** Our own key, by which a submitted batch is found again. */
  id: string;
  items: readonly BatchItem[];
}

/** What is known of a batch whose submission was not confirmed. */
export interface LostBatch {
  id: string;
  requests: number;
  /** Unix ms. */
  createdAt: number;
  /** Whether no other batch of ours has this id of the provider. */
  isFree: (providerId: string) => Promise<boolean>;
}

/** The reply to a request: the body of a live reply, or why there is none. */
export type BatchResult = { id: string } & (
  | { status: number; body: unknown }
  | { failure: Failure }
);

/** What the provider says about a batch. */
export type BatchLook =
  | { kind: "open" }
  | {
      kind: "ended";
      /** Why requests without a result have none. */
      missing: Failure;
      /** In any order; some may be missing. */
      results: () => AsyncIterable<BatchResult>;
      /** Files of the provider that are no longer needed, by their paths. */
      files: readonly string[];
    };

/** How a provider takes batches. The methods throw what requests to it throw. */
export interface BatchApi {
  /** Maximum requests and characters of one batch: within the provider's limits, and what is held in memory. */
  most: { requests: number; characters: number };
  /** A live request's body as a batch takes it. */
  bodyOf(body: JsonObject): JsonObject;
  /** Returns the provider's id. */
  submit(http: BatchHttp, endpoint: Endpoint, batch: NewBatch): Promise<string>;
  /** Searches the provider's list for a batch; null: it never arrived. */
  find(http: BatchHttp, batch: LostBatch): Promise<string | null>;
  /** `ids`: of its requests, in their order. */
  look(http: BatchHttp, providerId: string, ids: readonly string[]): Promise<BatchLook>;
  cancel(http: BatchHttp, providerId: string): Promise<void>;
}

/** Half an hour of tokens is less than this; more would be held in memory. */
export const MOST_CHARACTERS = 16_000_000;

/** A request of a batch that was not answered; it is asked again, up to the limit of retries. */
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
