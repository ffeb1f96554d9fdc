import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { PublicationStore } from "../pipeline/ports.ts";
import { publications } from "./schema.ts";

/** There is one site. */
const target = "site";

const never = { dirtyAt: 0, publishedAt: 0, hookCalledAt: 0, hash: null };

/** What the site shows of the results, and since when it is behind. */
export function publicationStore(d1: D1Database): PublicationStore {
  const db = drizzle(d1);
  const set = async (values: Partial<typeof publications.$inferInsert>) => {
    await db
      .insert(publications)
      .values({ target, ...values })
      .onConflictDoUpdate({ target: publications.target, set: values });
  };
  return {
    markDirty: (now) => set({ dirtyAt: now }),
    markPublished: (hash, at) => set({ hash, publishedAt: at }),
    markHookCalled: (at) => set({ hookCalledAt: at }),
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
