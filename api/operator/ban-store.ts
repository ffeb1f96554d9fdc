import { desc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { type BanRecord, bans } from "./schema.ts";

export type BanStore = ReturnType<typeof banStore>;

/** Banned accounts in D1. */
export function banStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    async get(owner: string): Promise<BanRecord | null> {
      return (await db.select().from(bans).where(eq(bans.owner, owner)).limit(1))[0] ?? null;
    },
    /** A second ban replaces the reason. */
    async put(ban: BanRecord): Promise<void> {
      const { owner: _, ...set } = ban;
      await db.insert(bans).values(ban).onConflictDoUpdate({ target: bans.owner, set });
    },
    async remove(owner: string): Promise<void> {
      await db.delete(bans).where(eq(bans.owner, owner));
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
