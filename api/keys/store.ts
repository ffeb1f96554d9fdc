import { and, desc, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { ApiKeyStore } from "../platform/ports.ts";
import { apiKeys } from "../platform/schema.ts";
import { olderThan } from "../platform/sql.ts";

/** API keys in D1, by their SHA-256. */
export function apiKeyStore(d1: D1Database): ApiKeyStore {
  const db = drizzle(d1);
  return {
    async insert(key) {
      await db.insert(apiKeys).values(key);
    },
    async byHash(hash) {
      return (await db.select().from(apiKeys).where(eq(apiKeys.hash, hash)).limit(1))[0] ?? null;
    },
    async byId(id) {
      return (await db.select().from(apiKeys).where(eq(apiKeys.id, id)).limit(1))[0] ?? null;
    },
    list: ({ after, limit }) =>
      db
        .select()
        .from(apiKeys)
        .where(olderThan(apiKeys.createdAt, apiKeys.id, after))
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .limit(limit),
    async owners() {
      const rows = await db.selectDistinct({ owner: apiKeys.owner }).from(apiKeys);
      return rows.map(({ owner }) => owner);
    },
    async revoke(id, now) {
      const revoked = await db
        .update(apiKeys)
        .set({ revokedAt: now })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .returning();
      return revoked[0] ?? null;
    },
    async markUsed(hash, now) {
      await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.hash, hash));
    },
  };
}
