import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { recorded } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { MOST_SHARES, type ShareRecord, shares } from "./share-schema.ts";

export type ShareStore = ReturnType<typeof shareStore>;

/** Whose links: those of a run, or all of an account. */
type ShareHolder = { runId: string } | { owner: string };

const isOf = (holder: ShareHolder) =>
  "runId" in holder ? eq(shares.runId, holder.runId) : eq(shares.owner, holder.owner);

/** Links that open what is private, in D1. */
export function shareStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** False if its run, or for another link its account, has as many as it may have. */
    async add(share: ShareRecord, entry: AuditRecord): Promise<boolean> {
      const { runId, owner } = share;
      const others = and(isOf({ runId }), runId === "" ? isOf({ owner }) : undefined);
      if ((await db.$count(shares, others)) >= MOST_SHARES) return false;
      await recorded(d1, db.insert(shares).values(share), entry);
      return true;
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
    /** Null if the run or account has no such link. The first revocation counts. */
    async revoke(holder: ShareHolder, id: string, now: number, entry: AuditRecord) {
      const its = and(eq(shares.id, id), isOf(holder));
      const revokedAt = sql`coalesce(${shares.revokedAt}, ${now})`;
      const change = db.update(shares).set({ revokedAt }).where(its).returning();
      return (await recorded(d1, change, entry))[0] ?? null;
    },
  };
}
