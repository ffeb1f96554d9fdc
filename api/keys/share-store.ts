import { and, desc, eq, isNotNull, lte, not, notInArray, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { isMade, recorded } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { insertBelow, type ListPage, olderThan } from "../platform/sql.ts";
import { MOST_SHARES, type ShareRecord, shares } from "./share-schema.ts";

export type ShareStore = ReturnType<typeof shareStore>;

/** Links of a run, or all links of an account. */
type ShareHolder = { runId: string } | { owner: string };

const isOf = (holder: ShareHolder) =>
  "runId" in holder ? eq(shares.runId, holder.runId) : eq(shares.owner, holder.owner);

/** Links that open private data, in D1. */
export function shareStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /**
     * False if the run, or for other links the account, has the maximum of active links. Of ended links, the oldest are
     * deleted.
     */
    async add(share: ShareRecord, entry: AuditRecord): Promise<boolean> {
      const { runId, owner, createdAt } = share;
      const its = and(isOf({ runId }), runId === "" ? isOf({ owner }) : undefined);
      const hasEnded = or(isNotNull(shares.revokedAt), lte(shares.expiresAt, createdAt))!;
      const limit = { counted: and(its, not(hasEnded)), most: MOST_SHARES };
      const change = insertBelow(db, shares, share, limit);
      const ended = db.select({ id: shares.id }).from(shares).where(and(its, hasEnded));
      const kept = ended.orderBy(desc(shares.createdAt)).limit(MOST_SHARES);
      const old = db.delete(shares).where(and(its, hasEnded, notInArray(shares.id, kept)));
      return isMade(d1, change, entry, [old]);
    },
    async get(id: string): Promise<ShareRecord | null> {
      return (await db.select().from(shares).where(eq(shares.id, id)).limit(1))[0] ?? null;
    },
    /** Newest first. */
    ofRun: (runId: string): Promise<ShareRecord[]> =>
      db.select().from(shares).where(isOf({ runId })).orderBy(desc(shares.createdAt)),
    /** All of an account, newest first. */
    page: (owner: string, { after, limit }: ListPage): Promise<ShareRecord[]> =>
      db
        .select()
        .from(shares)
        .where(and(isOf({ owner }), olderThan(shares.createdAt, shares.id, after)))
        .orderBy(desc(shares.createdAt), desc(shares.id))
        .limit(limit),
    /** Null if the run or account has no such link. The first revocation time stays. */
    async revoke(holder: ShareHolder, id: string, now: number, entry: AuditRecord) {
      const its = and(eq(shares.id, id), isOf(holder));
      const revokedAt = sql`coalesce(${shares.revokedAt}, ${now})`;
      const change = db.update(shares).set({ revokedAt }).where(its).returning();
      return (await recorded(d1, change, entry))[0] ?? null;
    },
  };
}
