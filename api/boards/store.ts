import { and, eq, lte, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { BoardStore } from "../platform/ports.ts";
import { boardPlaces, boards } from "../platform/schema.ts";
import { prepared } from "../platform/sql.ts";
import { countItems } from "../publication/store.ts";
import { boardReads } from "./read-store.ts";

const isFree = (now: number) => lte(boards.leaseExpiresAt, now);

/** ?1: keys of objects, ?2: when they are deleted. */
const RETIRE = `
  INSERT INTO retired_objects (key, delete_at) SELECT value, ?2 FROM json_each(?1) WHERE true
  ON CONFLICT DO NOTHING`;

/** The models of pages: an array of slugs each. */
const PLACES = "json_each(?2) AS page, json_each(page.value) AS its";

const DROP_PLACES = `
  DELETE FROM board_places WHERE board_id = ?1
    AND model_slug NOT IN (SELECT its.value FROM ${PLACES})`;

/** A model that stays on its page costs nothing. */
const SAVE_PLACES = `
  INSERT INTO board_places (board_id, model_slug, page)
  SELECT ?1, its.value, page.key + 1 FROM ${PLACES} WHERE true
  ON CONFLICT (board_id, model_slug) DO UPDATE SET page = excluded.page
  WHERE board_places.page <> excluded.page`;

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

    async write(id, { places, retired, deleteAt, ...ranked }, now) {
      const changed = db
        .update(boards)
        .set({ ...ranked, updatedAt: now, leaseExpiresAt: 0 })
        .where(eq(boards.id, id));
      const models = JSON.stringify(places);
      await d1.batch([
        prepared(d1, changed),
        prepared(d1, countItems(d1, "boards", [id])),
        d1.prepare(RETIRE).bind(JSON.stringify(retired), deleteAt),
        d1.prepare(DROP_PLACES).bind(id, models),
        d1.prepare(SAVE_PLACES).bind(id, models),
      ]);
    },

    async placeOf(id, slug) {
      const [found] = await db
        .select({ page: boardPlaces.page })
        .from(boardPlaces)
        .where(and(eq(boardPlaces.boardId, id), eq(boardPlaces.modelSlug, slug)));
      return found?.page ?? null;
    },
  };
}
