import { desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { snapshotChanges } from "../publication/schema.ts";
import { recorded } from "./audit-store.ts";
import { type AuditRecord, type BanRecord, bans } from "./schema.ts";

export type BanStore = ReturnType<typeof banStore>;

/** The reason with which runs of a banned account are hidden, so that they can be shown again. */
export const hiddenReason = (owner: string): string => `the account "${owner}" is banned`;

/** Hides runs that an account submitted while it was banned. */
export const hideBanned = (d1: D1Database, submissionId: string, owner: string) =>
  d1.prepare(HIDE_BANNED).bind(submissionId, owner, hiddenReason(owner));

const HIDE_BANNED = `
  UPDATE runs SET hidden_reason = ?3
  WHERE submission_id = ?1 AND owner = ?2 AND hidden_reason IS NULL
    AND EXISTS (SELECT 1 FROM bans WHERE bans.owner = ?2)`;

export function banStore(d1: D1Database) {
  const db = drizzle(d1);
  /** Public lists omit datasets of a banned account. */
  const datasetsChanged = (owner: string) =>
    db
      .insert(snapshotChanges)
      .select(
        sql`SELECT 'datasets', json_array(suite, name, version), 1 FROM datasets WHERE owner = ${owner}`,
      )
      .onConflictDoUpdate({
        target: [snapshotChanges.kind, snapshotChanges.id],
        set: { changes: sql`${snapshotChanges.changes} + 1` },
      });
  return {
    async get(owner: string): Promise<BanRecord | null> {
      return (await db.select().from(bans).where(eq(bans.owner, owner)).limit(1))[0] ?? null;
    },
    /** A second ban replaces the reason. */
    async put(ban: BanRecord, entry?: AuditRecord): Promise<void> {
      const { owner: _, ...set } = ban;
      const change = db.insert(bans).values(ban).onConflictDoUpdate({ target: bans.owner, set });
      await recorded(d1, change, entry, [datasetsChanged(ban.owner)]);
    },
    async remove(owner: string, entry?: AuditRecord): Promise<void> {
      const change = db.delete(bans).where(eq(bans.owner, owner));
      await recorded(d1, change, entry, [datasetsChanged(owner)]);
    },
    /** Newest first. */
    list: ({ after, limit }: ListPage): Promise<BanRecord[]> =>
      db
        .select()
        .from(bans)
        .where(olderThan(bans.at, bans.owner, after))
        .orderBy(desc(bans.at), desc(bans.owner))
        .limit(limit),
  };
}
