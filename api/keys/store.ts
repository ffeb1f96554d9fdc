import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { recorded } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { type ApiKeyRecord, apiKeys } from "./schema.ts";

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

/** Maximum listed; far more than an account may make. */
const MOST_LISTED = 200;

const isLive = (owner: string, now: number) =>
  and(
    eq(apiKeys.owner, owner),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );

export function apiKeyStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** Idempotent. False if its maker may no longer submit for its owner, or the owner has `most` active keys. */
    async insert(key: ApiKeyRecord, most: number, entry?: AuditRecord): Promise<boolean> {
      const { owner, createdBy: person, expiresAt, dailySamples, revokedAt, lastUsedAt } = key;
      const maySubmit = sql`${person} IS NULL OR ${person} = ${owner} OR EXISTS (SELECT 1 FROM members m
        WHERE m.owner = ${owner} AND m.person = ${person} AND m.role <> 'read')`;
      const row = sql`SELECT ${key.hash}, ${key.id}, ${owner}, ${key.name}, ${JSON.stringify(key.scopes)},
        ${key.createdAt}, ${expiresAt}, ${dailySamples}, ${revokedAt}, ${lastUsedAt}, ${person} WHERE (${maySubmit})
        AND ${db.$count(apiKeys, isLive(owner, key.createdAt))} < ${most}`;
      await recorded(d1, db.insert(apiKeys).select(row).onConflictDoNothing(), entry);
      return (await db.$count(apiKeys, eq(apiKeys.hash, key.hash))) > 0;
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
    /** Active keys of an account, newest first. */
    liveOf: (owner: string, now: number): Promise<ApiKeyRecord[]> =>
      db
        .select()
        .from(apiKeys)
        .where(isLive(owner, now))
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
        .limit(MOST_LISTED),
    /** Null if the key does not exist, is already revoked, or belongs to an account other than the given one. */
    async revoke(
      id: string,
      now: number,
      owner?: string,
      entry?: AuditRecord,
    ): Promise<ApiKeyRecord | null> {
      const change = db
        .update(apiKeys)
        .set({ revokedAt: now })
        .where(
          and(
            eq(apiKeys.id, id),
            isNull(apiKeys.revokedAt),
            owner === undefined ? undefined : eq(apiKeys.owner, owner),
          ),
        )
        .returning();
      return (await recorded(d1, change, entry))[0] ?? null;
    },
    async markUsed(hash: string, now: number): Promise<void> {
      await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.hash, hash));
    },
  };
}
