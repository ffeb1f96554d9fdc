import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { PublicationStore } from "../pipeline/ports.ts";
import { publications } from "./schema.ts";

/** There is one site. */
const target = "site";

const never = { changes: 0, published: 0, hooked: 0, hookCalledAt: 0, hash: null };

/** How many changes of results there were, and how many of them are published and built. */
export function publicationStore(d1: D1Database): PublicationStore {
  const db = drizzle(d1);
  const set = async (values: Partial<typeof publications.$inferInsert>) => {
    await db.update(publications).set(values).where(eq(publications.target, target));
  };
  return {
    async markChanged() {
      await db
        .insert(publications)
        .values({ target, changes: 1 })
        .onConflictDoUpdate({
          target: publications.target,
          set: { changes: sql`${publications.changes} + 1` },
        });
    },
    markPublished: (hash, published) => set({ hash, published }),
    markHookCalled: (hooked, hookCalledAt) => set({ hooked, hookCalledAt }),
    async state() {
      const rows = await db
        .select()
        .from(publications)
        .where(eq(publications.target, target))
        .limit(1);
      return rows[0] ?? never;
    },
  };
}
