import { and, eq, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { IdempotencyRecord, IdempotencyStore } from "./limit-ports.ts";
import { idempotencyKeys as keys } from "./schema.ts";

/** Idempotency keys in D1. */
export function idempotencyStore(d1: D1Database): IdempotencyStore {
  const db = drizzle(d1);
  const named = (record: IdempotencyRecord) =>
    and(eq(keys.owner, record.owner), eq(keys.key, record.key));
  const held = (record: IdempotencyRecord) =>
    and(
      named(record),
      eq(keys.resource, record.resource),
      eq(keys.reservedUntil, record.reservedUntil),
    );
  return {
    async reserve(wanted, forgottenAt) {
      const { bodyHash, resource, reservedUntil, createdAt } = wanted;
      const [, found] = await db.batch([
        db
          .insert(keys)
          .values(wanted)
          .onConflictDoUpdate({
            target: [keys.owner, keys.key],
            set: { bodyHash, resource, reservedUntil, createdAt },
            setWhere: lte(keys.createdAt, forgottenAt),
          }),
        db.select().from(keys).where(named(wanted)).limit(1),
      ]);
      return found[0] ?? wanted;
    },

    async renew(record, reservedUntil) {
      const renewed = await db
        .update(keys)
        .set({ reservedUntil })
        .where(held(record))
        .returning({ one: sql`1` });
      return renewed.length > 0;
    },

    async release(record) {
      await db.delete(keys).where(held(record));
    },

    async prune(forgottenAt) {
      await db.delete(keys).where(lte(keys.createdAt, forgottenAt));
    },
  };
}
