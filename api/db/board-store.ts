import { and, desc, eq, gt, lte } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { BoardStore } from "../pipeline/ports.ts";
import { boards, runs } from "./schema.ts";
import { versionPrefix } from "./version-prefix.ts";

/** Materialised leaderboards in D1. */
export function boardStore(d1: D1Database): BoardStore {
  const db = drizzle(d1);
  return {
    async ensure(board, now) {
      await db
        .insert(boards)
        .values({ ...board, entries: [], updatedAt: now })
        .onConflictDoNothing();
    },

    async get(id) {
      return (await db.select().from(boards).where(eq(boards.id, id)).limit(1))[0] ?? null;
    },

    async find(suite, datasetName, version) {
      const rows = await db
        .select()
        .from(boards)
        .where(
          and(
            eq(boards.suite, suite),
            eq(boards.datasetName, datasetName),
            eq(boards.isDefault, true),
            versionPrefix(boards.datasetVersion, version),
          ),
        )
        .orderBy(desc(boards.updatedAt))
        .limit(1);
      return rows[0] ?? null;
    },

    all: () => db.select().from(boards).orderBy(boards.suite, boards.datasetName, boards.id),

    async outdated() {
      const rows = await db
        .selectDistinct({ id: boards.id })
        .from(boards)
        .innerJoin(runs, and(eq(runs.boardId, boards.id), gt(runs.finishedAt, boards.updatedAt)));
      return rows.map((row) => row.id);
    },

    async lock(id, now, expiresAt) {
      const held = await db
        .update(boards)
        .set({ leaseExpiresAt: expiresAt })
        .where(and(eq(boards.id, id), lte(boards.leaseExpiresAt, now)))
        .returning({ id: boards.id });
      return held.length > 0;
    },

    async write(id, entries, now) {
      await db
        .update(boards)
        .set({ entries, updatedAt: now, leaseExpiresAt: 0 })
        .where(eq(boards.id, id));
    },
  };
}
