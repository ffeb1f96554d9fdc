import { and, eq, lte, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { BoardStore } from "../pipeline/ports.ts";
import { boardReads } from "./board-reads.ts";
import { boards } from "./schema.ts";

const isFree = (now: number) => lte(boards.leaseExpiresAt, now);

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

    // A call whose reply was lost is known by its expiry. Two holders of the same millisecond do no
    // harm: both rank from what is there, and a board that missed a run is ranked anew.
    async lock(id, now, expiresAt) {
      const held = await db
        .update(boards)
        .set({ leaseExpiresAt: expiresAt })
        .where(and(eq(boards.id, id), or(isFree(now), eq(boards.leaseExpiresAt, expiresAt))))
        .returning({ id: boards.id });
      return held.length > 0;
    },

    async unlock(id, expiresAt) {
      await db
        .update(boards)
        .set({ leaseExpiresAt: 0 })
        .where(and(eq(boards.id, id), eq(boards.leaseExpiresAt, expiresAt)));
    },

    async write(id, ranked, now) {
      await db
        .update(boards)
        .set({ ...ranked, updatedAt: now, leaseExpiresAt: 0 })
        .where(eq(boards.id, id));
    },
  };
}
