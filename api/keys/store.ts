import { and, desc, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { type ApiKeyRecord, apiKeys } from "./schema.ts";

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

/** API keys in D1, stored as SHA-256. */
export function apiKeyStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    async insert(key: ApiKeyRecord): Promise<void> {
      await db.insert(apiKeys).values(key).onConflictDoNothing();
    },
    async byHash(hash: string): Promise<ApiKeyRecord | null> {
      return (await db.select().from(apiKeys).where(eq(apiKeys.hash, hash)).limit(1))[0] ?? null;
    },
    async byId(id: string): Promise<ApiKeyRecord | null> {
      return (await db.select().from(apiKeys).where(eq(apiKeys.id, id)).limit(1))[0] ?? null;
    },
    /** Newest first. */
    list: ({ after, limit }: ListPage): Promise<ApiKeyRecord[]> =>
      db
        .select()
        .from(apiKeys)
        .where(olderThan(apiKeys.createdAt, apiKeys.id, after))
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .limit(limit),
    /** All accounts that ever had a key. */
    async owners(): Promise<string[]> {
      const rows = await db.selectDistinct({ owner: apiKeys.owner }).from(apiKeys);
      return rows.map(({ owner }) => owner);
    },
    /** Null if the key does not exist or is already revoked. */
    async revoke(id: string, now: number): Promise<ApiKeyRecord | null> {
      const revoked = await db
        .update(apiKeys)
        .set({ revokedAt: now })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .returning();
      return revoked[0] ?? null;
    },
    async markUsed(hash: string, now: number): Promise<void> {
      await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.hash, hash));
    },
  };
}
