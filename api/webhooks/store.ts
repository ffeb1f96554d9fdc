import { and, desc, eq, inArray } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { insertBelow, type ListPage, olderThan } from "../platform/sql.ts";
import { type WebhookRecord, webhookDeliveries, webhooks } from "./schema.ts";

const KEY_ENDED = "its API key was revoked or has expired: set it active with another key";

/** Parameters: ?1 now, ?2 the reason. */
const END_WITH_KEYS = `
  UPDATE webhooks SET status = 'disabled', status_reason = ?2
  WHERE status <> 'disabled' AND key_id IN (
    SELECT id FROM api_keys WHERE revoked_at IS NOT NULL OR expires_at <= ?1)`;

const GIVE_UP = `
  UPDATE webhook_deliveries SET status = 'failed', error = 'the webhook was disabled'
  WHERE status = 'pending' AND webhook_id IN (
    SELECT id FROM webhooks WHERE status = 'disabled' AND status_reason = ?1)`;

export type WebhookStore = ReturnType<typeof webhookStore>;

/** Webhooks of all owners in D1; their secrets are sealed. */
export function webhookStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** Idempotent. False if its owner has `most` webhooks. */
    async insert(webhook: WebhookRecord, most: number): Promise<boolean> {
      const counted = eq(webhooks.owner, webhook.owner);
      await insertBelow(db, webhooks, webhook, { counted, most });
      return (await db.$count(webhooks, eq(webhooks.id, webhook.id))) > 0;
    },
    async get(id: string): Promise<WebhookRecord | null> {
      return (await db.select().from(webhooks).where(eq(webhooks.id, id)).limit(1))[0] ?? null;
    },
    /** Newest first; null: all owners. */
    list: (owner: string | null, { after, limit }: ListPage): Promise<WebhookRecord[]> =>
      db
        .select()
        .from(webhooks)
        .where(
          and(
            owner === null ? undefined : eq(webhooks.owner, owner),
            olderThan(webhooks.createdAt, webhooks.id, after),
          ),
        )
        .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
        .limit(limit),
    /** Null if the webhook was deleted. */
    async change(id: string, values: Partial<WebhookRecord>): Promise<WebhookRecord | null> {
      const changed = await db.update(webhooks).set(values).where(eq(webhooks.id, id)).returning();
      return changed[0] ?? null;
    },
    /** Sets a new secret if the current one is still the one that was read; otherwise null. */
    async rotate(
      { id, sealedSecret }: WebhookRecord,
      sealed: string,
      until: number,
    ): Promise<WebhookRecord | null> {
      // After a lost reply, the repeated call finds its own secret and sets it again.
      const isAsRead = inArray(webhooks.sealedSecret, [sealedSecret, sealed]);
      const rotated = await db
        .update(webhooks)
        .set({ sealedSecret: sealed, previousSecret: sealedSecret, previousUntil: until })
        .where(and(eq(webhooks.id, id), isAsRead))
        .returning();
      return rotated[0] ?? null;
    },
    /** Disables webhooks whose API key was revoked or has expired, and cancels their deliveries. */
    async endWithKeys(now: number): Promise<void> {
      await d1.batch([
        d1.prepare(END_WITH_KEYS).bind(now, KEY_ENDED),
        d1.prepare(GIVE_UP).bind(KEY_ENDED),
      ]);
    },
    /** Includes its deliveries. */
    async remove(id: string): Promise<void> {
      await db.batch([
        db.delete(webhooks).where(eq(webhooks.id, id)),
        db.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id)),
      ]);
    },
  };
}
