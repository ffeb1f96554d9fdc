import type { ListPage } from "../platform/ports.ts";
import type { webhookDeliveries, webhookEvents, webhooks } from "./schema.ts";

export type WebhookRecord = typeof webhooks.$inferSelect;
export type WebhookEventRecord = typeof webhookEvents.$inferSelect;
export type DeliveryRecord = typeof webhookDeliveries.$inferSelect;

/** What announces: its id says what happened, so that the same comes once. */
type NewWebhookEvent = Omit<WebhookEventRecord, "fannedOutAt">;

/** The webhooks of all owners. */
export interface WebhookStore {
  /** The same again is the same one. */
  insert(webhook: WebhookRecord): Promise<void>;
  get(id: string): Promise<WebhookRecord | null>;
  /** Newest first; null: of all owners. */
  list(owner: string | null, page: ListPage): Promise<WebhookRecord[]>;
  /** Null where it is gone. */
  change(id: string, values: Partial<WebhookRecord>): Promise<WebhookRecord | null>;
  /** Another secret, while the one that was read is still the one; null where it is not. */
  rotate(read: WebhookRecord, sealed: string, until: number): Promise<WebhookRecord | null>;
  /** Disables those whose API key was revoked or has expired by now, and gives up what was on its way to them. */
  endWithKeys(now: number): Promise<void>;
  /** With its deliveries. */
  remove(id: string): Promise<void>;
}

/** Which event is on its way to which webhook. */
export interface DeliveryKey {
  webhook: string;
  event: string;
}

/** A delivery that is the caller's until it is taken for lost. */
export interface ClaimedDelivery {
  delivery: DeliveryRecord;
  event: WebhookEventRecord;
  webhook: WebhookRecord;
}

/** The outcome of an attempt. */
export interface Attempt {
  status: DeliveryRecord["status"];
  /** When to try again; of one that is settled nobody asks. */
  nextAttemptAt: number;
  responseStatus: number | null;
  durationMs: number;
  response: string | null;
  error: string | null;
  /** Why the webhook is disabled with it; null: it is not. */
  disables: string | null;
}

/** How long failures continue until a webhook is disabled: they are one row where gaps are no longer than this. */
export interface Patience {
  failingMs: number;
  gapMs: number;
  /** What is said of the webhook then. */
  reason: string;
}

/** Events and the outcome of them. */
export interface DeliveryStore {
  /** Keeps an event unless it is known, or nobody wants to hear of it. */
  record(event: NewWebhookEvent): Promise<void>;
  /** Keeps an event that is meant for one webhook, with its delivery. */
  recordFor(webhook: string, event: NewWebhookEvent): Promise<void>;
  /** Events without deliveries, oldest first. */
  waiting(limit: number): Promise<WebhookEventRecord[]>;
  /** Makes deliveries for those who want to hear of it, none where there is nothing to say; gives what is to send. */
  fanOut(event: WebhookEventRecord, data: object | null, now: number): Promise<DeliveryKey[]>;
  /** Null where it is not due, settled, another's, or its webhook is not active (but for a test). */
  claim(key: DeliveryKey, now: number, lostAt: number): Promise<ClaimedDelivery | null>;
  settle(
    claimed: ClaimedDelivery,
    attempt: Attempt,
    now: number,
    patience: Patience,
  ): Promise<void>;
  /** Deliveries that were due before, oldest first. */
  due(before: number, limit: number): Promise<DeliveryKey[]>;
  /** Of one webhook, newest first. */
  log(webhook: string, limit: number): Promise<(DeliveryRecord & { type: string })[]>;
  prune(before: number, limit: number): Promise<void>;
}

/** What an address answered to an event. */
export interface WebhookReply {
  /** HTTP status; null: there was no answer. */
  status: number | null;
  retryAfterMs: number | null;
  durationMs: number;
  /** First bytes of the body. */
  response: string | null;
  /** Why it did not get through; null where the status says it. */
  error: string | null;
}

/** Posts an event; never throws. */
export type PostWebhook = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<WebhookReply>;
