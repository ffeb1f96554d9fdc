import { and, desc, eq, getTableColumns, isNull, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { messages } from "../keys/quota-store.ts";
import { boards } from "../platform/schema.ts";
import { olderThan } from "../platform/sql.ts";
import { dueRepublications } from "./due-republication-store.ts";
import type { RepublicationStore } from "./republication-ports.ts";
import { republications } from "./republication-schema.ts";
import { countItems } from "./store.ts";

/** Changes of ranks that a list has of each: boards may have thousands. */
const MOST_CHANGES = 100;

const firstChanges = sql`(SELECT json_group_array(json(value))
  FROM (SELECT value FROM json_each(${republications.changes}) LIMIT ${MOST_CHANGES}))`.mapWith(
  republications.changes,
);
const omitted = sql<number>`max(0, json_array_length(${republications.changes}) - ${MOST_CHANGES})`;

/** Re-publications of boards in D1. */
export function republicationStore(d1: D1Database): RepublicationStore {
  const db = drizzle(d1);
  const withId = (id: string) => db.select().from(republications).where(eq(republications.id, id));
  return {
    async start(republication) {
      try {
        await db
          .insert(republications)
          .values(republication)
          .onConflictDoNothing({ target: republications.id });
        return true;
      } catch (error) {
        if (messages(error).includes("UNIQUE constraint failed: republications")) return false;
        throw error;
      }
    },

    get: async (id) => (await withId(id).limit(1))[0] ?? null,

    list: (board, { after, limit }) =>
      db
        .select({ ...getTableColumns(republications), changes: firstChanges, omitted })
        .from(republications)
        .where(
          and(
            board === null
              ? undefined
              : or(eq(republications.fromBoard, board), eq(republications.toBoard, board)),
            olderThan(republications.startedAt, republications.id, after),
          ),
        )
        .orderBy(desc(republications.startedAt), desc(republications.id))
        .limit(limit),

    open: () => db.select().from(republications).where(isNull(republications.finishedAt)),

    async finish({ id, fromBoard, toBoard, changes }, now) {
      const isOpen = and(eq(republications.id, id), isNull(republications.finishedAt));
      const end = db.update(republications).set({ changes, finishedAt: now }).where(isOpen);
      if (toBoard === null) return void (await end);
      await db.batch([
        db
          .update(boards)
          .set({ supersededBy: toBoard, supersededAt: now })
          .where(eq(boards.id, fromBoard)),
        db
          .update(boards)
          .set({ supersededBy: null, supersededAt: null })
          .where(eq(boards.id, toBoard)),
        countItems(d1, "boards", [fromBoard, toBoard]),
        end,
      ]);
    },

    async abandon(id) {
      await db
        .delete(republications)
        .where(and(eq(republications.id, id), isNull(republications.finishedAt)));
    },

    ...dueRepublications(d1),
  };
}
