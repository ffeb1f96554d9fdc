import { and, desc, eq, isNull, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RepublicationStore } from "../pipeline/republication-ports.ts";
import { LIVE } from "./live-run.ts";
import { republications } from "./republication-schema.ts";
import { boards } from "./schema.ts";
import { messages } from "./usage-store.ts";

/**
 * A correction makes a board due from when it was stored, another version of the suite from ever on. What was
 * tried since with this version of the suite is done, whatever came of it. New runs don't come to a corrected
 * dataset's board, so those under way are waited for; one that is paused may stay so for ever.
 */
const DUE = `
  WITH current AS (SELECT value ->> 'id' AS suite, value ->> 'version' AS version FROM json_each(?1))
  SELECT b.id FROM boards b JOIN current c ON c.suite = b.suite
  LEFT JOIN datasets d ON d.suite = b.suite AND d.name = b.dataset_name
    AND d.corrects ->> 'version' = b.dataset_version
  WHERE b.superseded_by IS NULL AND b.entries <> '[]'
    AND (d.version IS NOT NULL OR (b.judging IS NULL AND b.suite_version <> c.version))
    AND NOT EXISTS (SELECT 1 FROM republications r WHERE r.from_board = b.id AND
      (r.finished_at IS NULL OR (r.to_suite_version = c.version AND r.started_at >= coalesce(d.created_at, 0))))
    AND NOT EXISTS (SELECT 1 FROM runs WHERE counted_on = b.id AND deleted_at IS NULL
      AND status IN ${LIVE} AND status <> 'paused')
  LIMIT ?2`;

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

    list: (board, limit) =>
      db
        .select()
        .from(republications)
        .where(
          board === null
            ? undefined
            : or(eq(republications.fromBoard, board), eq(republications.toBoard, board)),
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
        end,
      ]);
    },

    async abandon(id) {
      await db
        .delete(republications)
        .where(and(eq(republications.id, id), isNull(republications.finishedAt)));
    },

    async due(suites, limit) {
      const current = JSON.stringify(suites.map(({ id, version }) => ({ id, version })));
      const found = await d1.prepare(DUE).bind(current, limit).all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },
  };
}
