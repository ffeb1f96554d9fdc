import { and, desc, eq, gte, inArray, lt, lte, not, or, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { datasets } from "../datasets/schema.ts";
import { isOneOf, prepared, versionPrefix } from "../platform/sql.ts";
import { countItems } from "../publication/store.ts";
import { runs } from "../runs/schema.ts";
import { isInView } from "../runs/visibility-store.ts";
import { boardAttempts } from "./attempt-store.ts";
import { attempts, type BoardIdentity, type BoardRecord, boardPlaces, boards } from "./schema.ts";

export interface RankedBoard
  extends Pick<BoardRecord, "entries" | "pages" | "comparedSamples" | "tests"> {
  /** Models on each page after the first. */
  places: readonly (readonly string[])[];
  /** Keys of pages that it no longer refers to, to be deleted at `deleteAt`. */
  retired: readonly string[];
  deleteAt: number;
}

const isFree = (now: number) => lte(boards.leaseExpiresAt, now);

/** ?1: keys of objects, ?2: when to delete them. */
const RETIRE = `
  INSERT INTO retired_objects (key, delete_at) SELECT value, ?2 FROM json_each(?1) WHERE true
  ON CONFLICT DO NOTHING`;

/** ?2: models on the first page. Also deletes rows of models without a listed run. */
const DROP_PLACES = `
  DELETE FROM board_places WHERE board_id = ?1 AND (
    model_slug IN (SELECT value FROM json_each(?2))
    OR model_slug NOT IN (SELECT model_slug FROM runs WHERE board_id = ?1 AND status = 'finished'
      AND deleted_at IS NULL AND hidden_reason IS NULL))`;

/**
 * Boards to rank again, with at most one run read for each. SQLite uses an index on an expression only for a value
 * without affinity.
 */
const OUTDATED = `
  SELECT id FROM boards b WHERE withdrawn_at > updated_at OR EXISTS (
    SELECT 1 FROM runs INDEXED BY runs_ended_of_board
    WHERE CASE WHEN counted_on IS NULL THEN board_id ELSE counted_on END = +b.id
      AND finished_at > b.updated_at AND visibility <> 'private')`;

/** Number of pages whose models one statement takes: a value may have 2 MB, and a slug 200 characters. */
const PAGES_AT_ONCE = 20;

/**
 * ?2: models of pages, an array of slugs for each page; ?3: number of the first page. Unchanged rows are not written.
 */
const SAVE_PLACES = `
  INSERT INTO board_places (board_id, model_slug, page)
  SELECT ?1, its.value, page.key + ?3 FROM json_each(?2) AS page, json_each(page.value) AS its
  WHERE true
  ON CONFLICT (board_id, model_slug) DO UPDATE SET page = excluded.page
  WHERE board_places.page <> excluded.page`;

export type BoardStore = ReturnType<typeof boardStore>;

export function boardStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    ...boardReads(db),
    ...boardLists(db),
    ...boardAttempts(d1),

    async ensure(board: BoardIdentity, now: number): Promise<void> {
      await db
        .insert(boards)
        .values({ ...board, entries: [], updatedAt: now })
        .onConflictDoNothing();
    },

    /** False if another caller holds the board's lease. */
    async lock(id: string, now: number, expiresAt: number): Promise<boolean> {
      // A retry after a lost reply is recognised by its expiry time. Two holders in the same millisecond do no harm:
      // both rank the stored runs, and a board that missed a run is ranked again.
      const held = await db
        .update(boards)
        .set({ leaseExpiresAt: expiresAt })
        .where(and(eq(boards.id, id), or(isFree(now), eq(boards.leaseExpiresAt, expiresAt))))
        .returning({ id: boards.id });
      return held.length > 0;
    },

    /** Releases a lease that expires at `expiresAt`, unless another caller holds it by now. */
    async unlock(id: string, expiresAt: number): Promise<void> {
      await db
        .update(boards)
        .set({ leaseExpiresAt: 0 })
        .where(and(eq(boards.id, id), eq(boards.leaseExpiresAt, expiresAt)));
    },

    async write(
      id: string,
      { places, retired, deleteAt, ...ranked }: RankedBoard,
      now: number,
    ): Promise<void> {
      const changed = db
        .update(boards)
        .set({ ...ranked, updatedAt: now, leaseExpiresAt: 0 })
        .where(eq(boards.id, id));
      const first = ranked.entries.map(({ model }) => model.slug);
      const starts = places.flatMap((_, i) => (i % PAGES_AT_ONCE === 0 ? [i] : []));
      await d1.batch([
        prepared(d1, changed),
        prepared(d1, countItems(d1, "boards", [id])),
        d1.prepare(RETIRE).bind(JSON.stringify(retired), deleteAt),
        d1.prepare(DROP_PLACES).bind(id, JSON.stringify(first)),
        ...starts.map((i) =>
          d1
            .prepare(SAVE_PLACES)
            .bind(id, JSON.stringify(places.slice(i, i + PAGES_AT_ONCE)), i + 1),
        ),
      ]);
    },

    /** The page after the first that lists a model; null if none does. */
    async placeOf(id: string, slug: string): Promise<number | null> {
      const [found] = await db
        .select({ page: boardPlaces.page })
        .from(boardPlaces)
        .where(and(eq(boardPlaces.boardId, id), eq(boardPlaces.modelSlug, slug)));
      return found?.page ?? null;
    },
  };
}

/** SQL: the dataset exists; boards of deleted datasets can only be read by id. */
const hasDataset = sql`EXISTS (SELECT 1 FROM datasets d WHERE d.suite = boards.suite
  AND d.name = boards.dataset_name AND d.version = boards.dataset_version)`;

function boardReads(db: DrizzleD1Database) {
  return {
    async get(id: string): Promise<BoardRecord | null> {
      return (await db.select().from(boards).where(eq(boards.id, id)).limit(1))[0] ?? null;
    },

    async isOnDataset(suite: string, datasetName: string): Promise<boolean> {
      const its = and(
        eq(boards.suite, suite),
        eq(boards.datasetName, datasetName),
        eq(boards.isDefault, true),
      );
      return (await db.select({ id: boards.id }).from(boards).where(its).limit(1)).length > 0;
    },

    async find(
      suite: string,
      datasetName: string,
      version: string | null,
      /**
       * The ranking metric. If there are several boards, prefer the one with this metric, or, if `isNeeded`, accept
       * only that.
       */
      headline?: { id: string; isNeeded: boolean },
    ): Promise<BoardRecord | null> {
      const sameDataset = and(
        eq(datasets.suite, boards.suite),
        eq(datasets.name, boards.datasetName),
        eq(datasets.version, boards.datasetVersion),
      );
      const rows = await db
        .select({ board: boards })
        .from(boards)
        .innerJoin(datasets, sameDataset)
        .where(
          and(
            eq(boards.suite, suite),
            eq(boards.datasetName, datasetName),
            eq(boards.isDefault, true),
            versionPrefix(boards.datasetVersion, version),
            headline?.isNeeded ? eq(boards.headline, headline.id) : undefined,
          ),
        )
        .orderBy(
          sql`${boards.supersededBy} IS NOT NULL`,
          // Answers that are still being rescored are not a board yet.
          sql`${boards.entries} = '[]'`,
          desc(datasets.createdAt),
          sql`${boards.headline} <> ${headline?.id ?? ""}`,
          desc(boards.updatedAt),
        )
        .limit(1);
      return rows[0]?.board ?? null;
    },

    /**
     * Boards with a counted or listed run that ended, became visible or was hidden since the last ranking, or was
     * withdrawn and may be deleted by now.
     */
    async outdated(): Promise<string[]> {
      const rows = await db.all<{ id: string }>(sql.raw(OUTDATED));
      return rows.map(({ id }) => id);
    },
  };
}

/** Number of models, and how many of the given slugs are among them. */
export interface ModelCount {
  total: number;
  known: number;
}

const noModels: ModelCount = { total: 0, known: 0 };

const modelCount = (slug: SQLiteColumn, slugs: readonly string[]) => ({
  total: sql<number>`count(DISTINCT ${slug})`,
  known: sql<number>`count(DISTINCT iif(${isOneOf(slug, slugs)}, ${slug}, NULL))`,
});

const boardLists = (db: DrizzleD1Database) => ({
  all: (): Promise<BoardRecord[]> =>
    db.select().from(boards).orderBy(boards.suite, boards.datasetName, boards.id),

  /** Number of boards that an account created by non-standard options. */
  async countMadeBy(owners: readonly string[]): Promise<number> {
    const [row] = await db
      .select({ count: sql<number>`count(*)` })
      .from(boards)
      .where(isOneOf(boards.madeBy, owners));
    return row?.count ?? 0;
  },

  /** Models of these accounts that were ever tried in a board's configuration. */
  async triedModels(boardId: string, owners: readonly string[], slugs: readonly string[]) {
    // "0" follows "/" in ASCII, so these ranges have exactly the owners' slugs.
    const ranges = owners.map((owner) =>
      and(gte(attempts.modelSlug, `${owner}/`), lt(attempts.modelSlug, `${owner}0`)),
    );
    const [row] = await db
      .select(modelCount(attempts.modelSlug, slugs))
      .from(attempts)
      .where(and(eq(attempts.boardId, boardId), or(...ranges)));
    return row ?? noModels;
  },
  /** Models that a board lists now or will list once their runs end; `owners`: only of these accounts, null: of all. */
  async listedModels(boardId: string, owners: readonly string[] | null, slugs: readonly string[]) {
    const isOut = inArray(runs.status, ["failed", "cancelled"]);
    const isTheirs = owners === null ? undefined : isOneOf(runs.owner, owners);
    const [row] = await db
      .select(modelCount(runs.modelSlug, slugs))
      .from(runs)
      .where(and(eq(runs.boardId, boardId), isInView(), not(isOut), isTheirs));
    return row ?? noModels;
  },

  /**
   * Default boards that list a model, optionally of one suite and dataset; the board with its newest run first. A limit
   * of one is fast.
   */
  async ofModel(
    slug: string,
    { suite, dataset }: { suite: string | null; dataset: string | null },
    limit: number,
  ): Promise<BoardRecord[]> {
    const listing = db
      .select({ board: boards })
      .from(runs)
      .innerJoin(boards, eq(boards.id, runs.boardId))
      .where(
        and(
          eq(runs.modelSlug, slug),
          // Matches the condition of the index on a model's listed runs.
          sql`${runs.status} = 'finished' AND ${runs.boardId} IS NOT NULL`,
          isInView(),
          eq(boards.isDefault, true),
          hasDataset,
          suite === null ? undefined : eq(runs.suite, suite),
          dataset === null ? undefined : eq(boards.datasetName, dataset),
        ),
      );
    const rows = await (limit === 1
      ? listing.orderBy(desc(runs.answeredAt)).limit(1)
      : listing
          .groupBy(boards.id)
          .orderBy(desc(sql`max(${runs.answeredAt})`))
          .limit(limit));
    return rows.map((row) => row.board);
  },
});
