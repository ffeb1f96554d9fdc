import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { recorded } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { MOST_SHARES, type ShareRecord, shares } from "./share-schema.ts";

export type ShareStore = ReturnType<typeof shareStore>;

/** Links that open private runs, in D1. */
export function shareStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** False if its run has as many as it may have. */
    async add(share: ShareRecord, entry: AuditRecord): Promise<boolean> {
      if ((await db.$count(shares, eq(shares.runId, share.runId))) >= MOST_SHARES) return false;
      await recorded(d1, db.insert(shares).values(share), entry);
      return true;
    },
    async get(id: string): Promise<ShareRecord | null> {
      return (await db.select().from(shares).where(eq(shares.id, id)).limit(1))[0] ?? null;
    },
    /** Newest first. */
    ofRun: (runId: string): Promise<ShareRecord[]> =>
      db.select().from(shares).where(eq(shares.runId, runId)).orderBy(desc(shares.createdAt)),
    /** Null if the run has no such link. The first revocation counts. */
    async revoke(runId: string, id: string, now: number, entry: AuditRecord) {
      const its = and(eq(shares.id, id), eq(shares.runId, runId));
      const revokedAt = sql`coalesce(${shares.revokedAt}, ${now})`;
      const change = db.update(shares).set({ revokedAt }).where(its).returning();
      return (await recorded(d1, change, entry))[0] ?? null;
    },
  };
}
