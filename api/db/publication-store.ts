import { and, eq, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunStatus } from "#shared/contracts/run.ts";
import type { PublicationStore } from "../pipeline/ports.ts";
import { publications } from "./schema.ts";

/** There is one site. */
const target = "site";

const never = { changes: 0, published: 0, hooked: 0, hookCalledAt: 0, hash: null };

const oneMore = {
  target: publications.target,
  set: { changes: sql`${publications.changes} + 1` },
};

/**
 * Counts that a public run which stands on no board changes its status from one of these: in one
 * batch with the change, since nothing else would bring such a run to light. Boards are ranked anew
 * until they hold their runs.
 */
export function countChange(d1: D1Database, runId: string, from: readonly RunStatus[]) {
  return drizzle(d1)
    .insert(publications)
    .select(
      sql`SELECT ${target}, 1, 0, 0, 0, NULL FROM runs
        WHERE id = ${runId} AND board_id IS NULL AND visibility = 'public'
          AND status IN (SELECT value FROM json_each(${JSON.stringify(from)}))`,
    )
    .onConflictDoUpdate(oneMore);
}

/** How many changes of results there were, and how many of them are published and built. */
export function publicationStore(d1: D1Database): PublicationStore {
  const db = drizzle(d1);
  const set = async (values: Partial<typeof publications.$inferInsert>) => {
    await db.update(publications).set(values).where(eq(publications.target, target));
  };
  return {
    async markChanged() {
      await db.insert(publications).values({ target, changes: 1 }).onConflictDoUpdate(oneMore);
    },
    async markPublished(hash, published) {
      const isNewer = and(eq(publications.target, target), lt(publications.published, published));
      await db.update(publications).set({ hash, published }).where(isNewer);
    },
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
