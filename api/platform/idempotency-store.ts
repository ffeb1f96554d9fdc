import { and, eq, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type IdempotencyRecord, idempotencyKeys as keys } from "../keys/schema.ts";

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

/** Idempotency keys and the ids that they reserve, in D1. */
export function idempotencyStore(d1: D1Database) {
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
    /** The record of the key: `wanted`, or an earlier one created after `forgottenAt`. */
    async reserve(wanted: IdempotencyRecord, forgottenAt: number): Promise<IdempotencyRecord> {
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

    /** Changes the end of the reservation; false if another request did so before. */
    async renew(record: IdempotencyRecord, reservedUntil: number): Promise<boolean> {
      const renewed = await db
        .update(keys)
        .set({ reservedUntil })
        .where(held(record))
        .returning({ one: sql`1` });
      return renewed.length > 0;
    },

    /** Frees the key unless another request has taken it over. */
    async release(record: IdempotencyRecord): Promise<void> {
      await db.delete(keys).where(held(record));
    },

    async prune(forgottenAt: number): Promise<void> {
      await db.delete(keys).where(lte(keys.createdAt, forgottenAt));
    },
  };
}
