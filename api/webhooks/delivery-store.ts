import { and, asc, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { webhookDeliveries, webhookEvents, webhooks } from "./schema.ts";
import type {
  Attempt,
  ClaimedDelivery,
  DeliveryKey,
  DeliveryStore,
  Patience,
} from "./webhook-ports.ts";

const INSERT_EVENT = `
  INSERT INTO webhook_events (id, type, owner, subject, data, occurred_at, fanned_out_at)`;

/** Whether the API key that represents a webhook `w` is there and valid at a time, a parameter. */
const hasKey = (at: string) => `(w.key_id IS NULL OR EXISTS (
  SELECT 1 FROM api_keys k WHERE k.id = w.key_id AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > ${at})))`;

/** Who wants to hear of an event of a type (?2) and an owner (?3). */
const RECORD = `${INSERT_EVENT}
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, NULL WHERE EXISTS (
    SELECT 1 FROM webhooks w, json_each(w.events) AS wanted
    WHERE w.owner = ?3 AND w.status = 'active' AND wanted.value = ?2 AND ${hasKey("?6")})
  ON CONFLICT DO NOTHING`;

const INSERT_DELIVERY = `
  INSERT INTO webhook_deliveries (webhook_id, event_id, status, next_attempt_at, created_at)`;

/** Parameters: ?1 the event, ?2 now. One that came about later is not told of what was before. */
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

/** A paused webhook's deliveries wait; a test is sent all the same. Without its key nothing is sent. */
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

/** Events and their deliveries in D1, which holds the truth: messages are only hints. */
export function deliveryStore(d1: D1Database): DeliveryStore {
  const db = drizzle(d1);
  return {
    async record({ id, type, owner, subject, data, occurredAt }) {
      const json = data === null ? null : JSON.stringify(data);
      await d1.prepare(RECORD).bind(id, type, owner, subject, json, occurredAt).run();
    },
    async recordFor(webhookId, event) {
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
    waiting: (limit) =>
      db
        .select()
        .from(webhookEvents)
        .where(isNull(webhookEvents.fannedOutAt))
        .orderBy(asc(webhookEvents.occurredAt))
        .limit(limit),
    async fanOut({ id }, data, now) {
      const results = await d1.batch<DeliveryKey>([
        ...(data === null ? [] : [d1.prepare(FAN_OUT).bind(id, now)]),
        d1.prepare(FANNED_OUT).bind(id, data === null ? null : JSON.stringify(data), now),
        d1.prepare(TO_SEND).bind(id),
      ]);
      return results.at(-1)?.results ?? [];
    },
    async claim(key, now, lostAt) {
      const claim = d1.prepare(CLAIM).bind(key.webhook, key.event, now, lostAt);
      return (await claim.all()).results.length === 0 ? null : claimed(d1, key);
    },
    settle: (...settling) => settleDelivery(d1, ...settling),
    due: async (before, limit) =>
      (await d1.prepare(DUE).bind(before, limit).all<DeliveryKey>()).results,
    log: (webhook, limit) =>
      db
        .select({ ...getTableColumns(webhookDeliveries), type: sql<string>`${webhookEvents.type}` })
        .from(webhookDeliveries)
        .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
        .where(eq(webhookDeliveries.webhookId, webhook))
        .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.eventId))
        .limit(limit),
    async prune(before, limit) {
      await d1.batch([
        d1.prepare(PRUNE_DELIVERIES).bind(before, limit),
        d1.prepare(PRUNE_EVENTS).bind(before, limit),
      ]);
    },
  };
}

/** Null where it was deleted since. */
async function claimed(
  d1: D1Database,
  { webhook, event }: DeliveryKey,
): Promise<ClaimedDelivery | null> {
  const db = drizzle(d1);
  const its = and(eq(webhookDeliveries.webhookId, webhook), eq(webhookDeliveries.eventId, event));
  const [found] = await db
    .select({ delivery: webhookDeliveries, event: webhookEvents, webhook: webhooks })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(its);
  return found ?? null;
}

/** An attempt that was taken for lost meanwhile, and was made again, settles nothing. */
const SETTLE = `
  UPDATE webhook_deliveries SET status = ?4, next_attempt_at = ?5, response_status = ?6,
    duration_ms = ?7, response = ?8, error = ?9
  WHERE webhook_id = ?1 AND event_id = ?2 AND attempts = ?3 AND status = 'pending'`;

const GOT_THROUGH = `
  UPDATE webhooks SET failing_since = NULL, failed_at = NULL WHERE id = ?1 AND failed_at IS NOT NULL`;

/** Parameters: ?2 now, ?3 the longest gap between failures that are one row. */
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

/** Writes the outcome of an attempt, and what that says of the webhook; a test says nothing of it. */
async function settleDelivery(
  d1: D1Database,
  { delivery, event, webhook: { id } }: ClaimedDelivery,
  attempt: Attempt,
  now: number,
  patience: Patience,
): Promise<void> {
  const { status, nextAttemptAt, responseStatus, durationMs, response, error } = attempt;
  const settle = d1
    .prepare(SETTLE)
    .bind(
      id,
      event.id,
      delivery.attempts,
      status,
      nextAttemptAt,
      responseStatus,
      durationMs,
      response,
      error,
    );
  await d1.batch([settle, ...(event.type === "webhook.test" ? [] : ofWebhook())]);

  function ofWebhook(): D1PreparedStatement[] {
    if (status === "delivered") return [d1.prepare(GOT_THROUGH).bind(id)];
    const { failingMs, gapMs, reason } = patience;
    return [
      d1.prepare(FAILED).bind(id, now, gapMs),
      attempt.disables === null
        ? d1.prepare(OUT_OF_PATIENCE).bind(id, now - failingMs, reason)
        : d1.prepare(DISABLE).bind(id, attempt.disables),
      d1.prepare(GIVE_UP).bind(id),
    ];
  }
}
