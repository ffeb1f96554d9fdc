import { and, eq, lte } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { BoardStore } from "../pipeline/ports.ts";
import { boardReads } from "./board-reads.ts";
import { boards } from "./schema.ts";

/** Materialised leaderboards in D1. */
export function boardStore(d1: D1Database): BoardStore {
  const db = drizzle(d1);
  return {
    ...boardReads(d1),

    async ensure(board, now) {
      await db
        .insert(boards)
        .values({ ...board, entries: [], updatedAt: now })
        .onConflictDoNothing();
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
