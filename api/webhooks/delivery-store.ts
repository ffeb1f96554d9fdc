import { and, asc, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import {
  type DeliveryRecord,
  type WebhookEventRecord,
  type WebhookRecord,
  webhookDeliveries,
  webhookEvents,
  webhooks,
} from "./schema.ts";

/** The id identifies the event, so that duplicates are stored once. */
type NewWebhookEvent = Omit<WebhookEventRecord, "fannedOutAt">;

/** Key of a delivery: an event and its webhook. */
export interface DeliveryKey {
  webhook: string;
  event: string;
}

/** A delivery that the caller may execute until its claim expires. */
export interface ClaimedDelivery {
  delivery: DeliveryRecord;
  event: WebhookEventRecord;
  webhook: WebhookRecord;
}

export interface Attempt {
  status: DeliveryRecord["status"];
  /** Time of the next attempt; ignored for a settled delivery. */
  nextAttemptAt: number;
  responseStatus: number | null;
  durationMs: number;
  response: string | null;
  error: string | null;
  /** Why the webhook is disabled; null if it is not. */
  disables: string | null;
}

/**
 * How long failures must last until a webhook is disabled. Failures belong together if gaps are no longer than this.
 */
export interface Patience {
  failingMs: number;
  gapMs: number;
  /** Reason shown on the disabled webhook. */
  reason: string;
}

const INSERT_EVENT = `
  INSERT INTO webhook_events (id, type, owner, subject, data, occurred_at, fanned_out_at)`;

/** SQL condition: the API key of webhook `w`, if any, is valid at a time (a parameter). */
const hasKey = (at: string) => `(w.key_id IS NULL OR EXISTS (
  SELECT 1 FROM api_keys k WHERE k.id = w.key_id AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > ${at})))`;

/** Stores an event if a webhook subscribes to its type (?2) and owner (?3). */
const RECORD = `${INSERT_EVENT}
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, NULL WHERE EXISTS (
    SELECT 1 FROM webhooks w, json_each(w.events) AS wanted
    WHERE w.owner = ?3 AND w.status = 'active' AND wanted.value = ?2 AND ${hasKey("?6")})
  ON CONFLICT DO NOTHING`;

const INSERT_DELIVERY = `
  INSERT INTO webhook_deliveries (webhook_id, event_id, status, next_attempt_at, created_at)`;

/** Parameters: ?1 the event, ?2 now. Only for webhooks that were created before the event. */
const FAN_OUT = `${INSERT_DELIVERY}
  SELECT w.id, e.id, 'pending', ?2, ?2 FROM webhook_events e
  JOIN webhooks w ON w.owner = e.owner AND w.status = 'active' AND w.created_at <= e.occurred_at
  WHERE e.id = ?1 AND e.fanned_out_at IS NULL AND ${hasKey("?2")}
    AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value = e.type)
  ON CONFLICT DO NOTHING`;

const FANNED_OUT = `
  UPDATE webhook_events SET data = coalesce(data, ?2), fanned_out_at = ?3
  WHERE id = ?1 AND fanned_out_at IS NULL`;

const TO_SEND = `
  SELECT webhook_id AS webhook, event_id AS event FROM webhook_deliveries
  WHERE event_id = ?1 AND status = 'pending' AND attempts = 0`;

/** Deliveries of a paused webhook wait; test events are sent anyway. Without a valid key nothing is sent. */
const maySend = (at: string) => `EXISTS (
  SELECT 1 FROM webhooks w, webhook_events e WHERE w.id = webhook_id AND e.id = event_id
    AND (w.status = 'active' OR e.type = 'webhook.test') AND ${hasKey(at)})`;

const CLAIM = `
  UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = ?4, attempted_at = ?3
  WHERE webhook_id = ?1 AND event_id = ?2 AND status = 'pending' AND next_attempt_at <= ?3
    AND ${maySend("?3")}
  RETURNING webhook_id`;

const DUE = `
  SELECT webhook_id AS webhook, event_id AS event FROM webhook_deliveries
  WHERE status = 'pending' AND next_attempt_at <= ?1 AND ${maySend("?1")}
  ORDER BY next_attempt_at LIMIT ?2`;

const PRUNE_DELIVERIES = `
  DELETE FROM webhook_deliveries WHERE (webhook_id, event_id) IN (
    SELECT webhook_id, event_id FROM webhook_deliveries WHERE created_at < ?1 LIMIT ?2)`;

const PRUNE_EVENTS = `
  DELETE FROM webhook_events WHERE id IN (
    SELECT id FROM webhook_events WHERE occurred_at < ?1 LIMIT ?2)`;

export type DeliveryStore = ReturnType<typeof deliveryStore>;

/** Events and their deliveries in D1, which is authoritative: messages are only hints. */
export function deliveryStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** Stores an event unless it is known or has no subscribers. */
    async record(event: NewWebhookEvent): Promise<void> {
      const { id, type, owner, subject, data, occurredAt } = event;
      const json = data === null ? null : JSON.stringify(data);
      await d1.prepare(RECORD).bind(id, type, owner, subject, json, occurredAt).run();
    },
    async recordFor(webhookId: string, event: NewWebhookEvent): Promise<void> {
      const { id: eventId, occurredAt: at } = event;
      const times = { nextAttemptAt: at, createdAt: at };
      await db.batch([
        db
          .insert(webhookEvents)
          .values({ ...event, fannedOutAt: at })
          .onConflictDoNothing(),
        db
          .insert(webhookDeliveries)
          .values({ webhookId, eventId, status: "pending", ...times })
          .onConflictDoNothing(),
      ]);
    },
    /** Events without deliveries, oldest first. */
    waiting: (limit: number): Promise<WebhookEventRecord[]> =>
      db
        .select()
        .from(webhookEvents)
        .where(isNull(webhookEvents.fannedOutAt))
        .orderBy(asc(webhookEvents.occurredAt))
        .limit(limit),
    /** Creates deliveries for subscribers (none if there is no data); returns those to send. */
    async fanOut(
      { id }: WebhookEventRecord,
      data: object | null,
      now: number,
    ): Promise<DeliveryKey[]> {
      const results = await d1.batch<DeliveryKey>([
        ...(data === null ? [] : [d1.prepare(FAN_OUT).bind(id, now)]),
        d1.prepare(FANNED_OUT).bind(id, data === null ? null : JSON.stringify(data), now),
        d1.prepare(TO_SEND).bind(id),
      ]);
      return results.at(-1)?.results ?? [];
    },
    ...attempts(d1),
    /** Deliveries due before a time, oldest first. */
    due: async (before: number, limit: number): Promise<DeliveryKey[]> =>
      (await d1.prepare(DUE).bind(before, limit).all<DeliveryKey>()).results,
    log: (webhook: string, limit: number): Promise<(DeliveryRecord & { type: string })[]> =>
      db
        .select({ ...getTableColumns(webhookDeliveries), type: sql<string>`${webhookEvents.type}` })
        .from(webhookDeliveries)
        .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
        .where(eq(webhookDeliveries.webhookId, webhook))
        .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.eventId))
        .limit(limit),
    async prune(before: number, limit: number): Promise<void> {
      await d1.batch([
        d1.prepare(PRUNE_DELIVERIES).bind(before, limit),
        d1.prepare(PRUNE_EVENTS).bind(before, limit),
      ]);
    },
  };
}

/** An attempt whose claim expired and was repeated must not settle the delivery. */
const SETTLE = `
  UPDATE webhook_deliveries SET status = ?4, next_attempt_at = ?5, response_status = ?6,
    duration_ms = ?7, response = ?8, error = ?9
  WHERE webhook_id = ?1 AND event_id = ?2 AND attempts = ?3 AND status = 'pending'`;

const GOT_THROUGH = `
  UPDATE webhooks SET failing_since = NULL, failed_at = NULL WHERE id = ?1 AND failed_at IS NOT NULL`;

/** Parameters: ?2 now, ?3 the longest gap between consecutive failures. */
const FAILED = `
  UPDATE webhooks SET failing_since = CASE WHEN failed_at > ?2 - ?3 THEN failing_since ELSE ?2 END,
    failed_at = ?2 WHERE id = ?1`;

const OUT_OF_PATIENCE = `
  UPDATE webhooks SET status = 'disabled', status_reason = ?3
  WHERE id = ?1 AND status = 'active' AND failing_since <= ?2`;

const DISABLE = `
  UPDATE webhooks SET status = 'disabled', status_reason = ?2 WHERE id = ?1 AND status = 'active'`;

const GIVE_UP = `
  UPDATE webhook_deliveries SET status = 'failed', error = coalesce(error, 'the webhook was disabled')
  WHERE webhook_id = ?1 AND status = 'pending'
    AND EXISTS (SELECT 1 FROM webhooks WHERE id = ?1 AND status = 'disabled')`;

function attempts(d1: D1Database) {
  const ofWebhook = (id: string, attempt: Attempt, now: number, patience: Patience) => {
    if (attempt.status === "delivered") return [d1.prepare(GOT_THROUGH).bind(id)];
    const { failingMs, gapMs, reason } = patience;
    return [
      d1.prepare(FAILED).bind(id, now, gapMs),
      attempt.disables === null
        ? d1.prepare(OUT_OF_PATIENCE).bind(id, now - failingMs, reason)
        : d1.prepare(DISABLE).bind(id, attempt.disables),
      d1.prepare(GIVE_UP).bind(id),
    ];
  };
  return {
    /**
     * Null if the delivery is not due, settled, claimed or deleted, or its webhook is inactive (except for test
     * events).
     */
    async claim(key: DeliveryKey, now: number, lostAt: number): Promise<ClaimedDelivery | null> {
      const claim = d1.prepare(CLAIM).bind(key.webhook, key.event, now, lostAt);
      if ((await claim.all()).results.length === 0) return null;
      const [found] = await drizzle(d1)
        .select({ delivery: webhookDeliveries, event: webhookEvents, webhook: webhooks })
        .from(webhookDeliveries)
        .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
        .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
        .where(
          and(
            eq(webhookDeliveries.webhookId, key.webhook),
            eq(webhookDeliveries.eventId, key.event),
          ),
        );
      return found ?? null;
    },

    /** Stores the outcome of an attempt, and updates the webhook, except after test events. */
    async settle(
      { delivery, event, webhook: { id } }: ClaimedDelivery,
      attempt: Attempt,
      now: number,
      patience: Patience,
    ): Promise<void> {
      const { status, nextAttemptAt, responseStatus, durationMs, response, error } = attempt;
      const outcome = [status, nextAttemptAt, responseStatus, durationMs, response, error];
      const settle = d1.prepare(SETTLE).bind(id, event.id, delivery.attempts, ...outcome);
      const isTest = event.type === "webhook.test";
      await d1.batch([settle, ...(isTest ? [] : ofWebhook(id, attempt, now, patience))]);
    },
  };
}
