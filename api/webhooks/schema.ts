import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SentEventType, WebhookEventType } from "#shared/contracts/webhooks/webhook.ts";

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    /**
     * The API key that created it, or last changed its address or activated it; without a valid key it stops. Null:
     * none.
     */
    keyId: text("key_id"),
    url: text().notNull(),
    events: text({ mode: "json" }).$type<WebhookEventType[]>().notNull(),
    description: text().notNull(),
    /** Address of the service when the webhook was created: links in events begin with it. */
    origin: text().notNull(),
    sealedSecret: text("sealed_secret").notNull(),
    /** The previous secret, which also signs until it expires. */
    previousSecret: text("previous_secret"),
    previousUntil: integer("previous_until"),
    status: text({ enum: ["active", "paused", "disabled"] }).notNull(),
    statusReason: text("status_reason"),
    /** First and last failure since the latest successful delivery. */
    failingSince: integer("failing_since"),
    failedAt: integer("failed_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("webhooks_by_owner").on(table.owner)],
);

/**
 * Events for webhooks. The row is written in the batch of the change that it reports; `data` is filled in when
 * deliveries are created.
 */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text().primaryKey(),
    type: text().$type<SentEventType>().notNull(),
    owner: text().notNull(),
    /** Id of what the event is about. */
    subject: text().notNull(),
    data: text({ mode: "json" }).$type<object>(),
    occurredAt: integer("occurred_at").notNull(),
    /** When deliveries were created for it; null: not yet. */
    fannedOutAt: integer("fanned_out_at"),
  },
  (table) => [
    index("webhook_events_waiting").on(table.occurredAt).where(sql`fanned_out_at IS NULL`),
    index("webhook_events_by_age").on(table.occurredAt),
  ],
);

/** One event for one webhook, with the outcome of the latest attempt. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    webhookId: text("webhook_id").notNull(),
    eventId: text("event_id").notNull(),
    status: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer().notNull().default(0),
    /** During an attempt: when its claim expires. */
    nextAttemptAt: integer("next_attempt_at").notNull(),
    createdAt: integer("created_at").notNull(),
    attemptedAt: integer("attempted_at"),
    responseStatus: integer("response_status"),
    durationMs: real("duration_ms"),
    response: text(),
    error: text(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index("webhook_deliveries_due").on(table.nextAttemptAt).where(sql`status = 'pending'`),
    index("webhook_deliveries_by_age").on(table.createdAt),
  ],
);

export type WebhookRecord = typeof webhooks.$inferSelect;
export type WebhookEventRecord = typeof webhookEvents.$inferSelect;
export type DeliveryRecord = typeof webhookDeliveries.$inferSelect;
