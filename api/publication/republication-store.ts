import { and, asc, desc, eq, getTableColumns, isNull, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type BoardRecord, boards } from "../boards/schema.ts";
import { datasets } from "../datasets/schema.ts";
import { isListed } from "../datasets/version-store.ts";
import { messages } from "../keys/quota-store.ts";
import { LIVE, type ListPage, olderThan } from "../platform/sql.ts";
import { type RunRecord, runs } from "../runs/schema.ts";
import { type RepublicationRecord, republications } from "./schema.ts";
import { countItems } from "./store.ts";

/** Rank changes shown per re-publication: boards may have thousands. */
const MOST_CHANGES = 100;

const firstChanges = sql`(SELECT json_group_array(json(value))
  FROM (SELECT value FROM json_each(${republications.changes}) LIMIT ${MOST_CHANGES}))`.mapWith(
  republications.changes,
);
const omitted = sql<number>`max(0, json_array_length(${republications.changes}) - ${MOST_CHANGES})`;

/** How long one invocation may hold a re-publication, and the longest time between attempts. */
export const LOST_MS = 120_000;
const MOST_WAIT_MS = 3_600_000;

const isFree = (now: number) =>
  and(isNull(republications.finishedAt), lte(republications.heldUntil, now));

const { parentId, status, statusReason, hiddenReason, deletedAt } = runs;

/** A run that scores answers again for a board. */
export type RescoredRun = Pick<
  RunRecord,
  "parentId" | "status" | "statusReason" | "hiddenReason" | "deletedAt"
>;

export type RepublicationStore = ReturnType<typeof republicationStore>;

export function republicationStore(d1: D1Database) {
  const db = drizzle(d1);
  const withId = (id: string) => db.select().from(republications).where(eq(republications.id, id));
  return {
    /** False if the board is already being re-published. */
    async start(republication: RepublicationRecord): Promise<boolean> {
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

    get: async (id: string): Promise<RepublicationRecord | null> =>
      (await withId(id).limit(1))[0] ?? null,

    /**
     * Newest first; for one board (as source or target) or for all. Each with its first changes and the number of
     * omitted ones.
     */
    list: (
      board: string | null,
      { after, limit }: ListPage,
    ): Promise<(RepublicationRecord & { omitted: number })[]> =>
      db
        .select({ ...getTableColumns(republications), changes: firstChanges, omitted })
        .from(republications)
        .where(
          and(
            board === null
              ? undefined
              : or(eq(republications.fromBoard, board), eq(republications.toBoard, board)),
            sql`NOT EXISTS (SELECT 1 FROM datasets WHERE ${datasets.suite} = ${republications.suite}
              AND ${datasets.name} = ${republications.datasetName} AND NOT (${isListed})
              AND ${datasets.version} IN (${republications.fromDataset}, ${republications.toDataset}))`,
            olderThan(republications.startedAt, republications.id, after),
          ),
        )
        .orderBy(desc(republications.startedAt), desc(republications.id))
        .limit(limit),

    openTo: (board: string): Promise<RepublicationRecord[]> =>
      db
        .select()
        .from(republications)
        .where(and(eq(republications.toBoard, board), isNull(republications.finishedAt))),

    /** The runs that score the answers again. */
    runsOf: ({ submissionId }: Pick<RepublicationRecord, "submissionId">): Promise<RescoredRun[]> =>
      db
        .select({ parentId, status, statusReason, hiddenReason, deletedAt })
        .from(runs)
        .where(eq(runs.submissionId, submissionId)),

    /** Unfinished re-publications that nobody works on, the longest waiting first. */
    async free(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: republications.id })
        .from(republications)
        .where(isFree(now))
        .orderBy(asc(republications.heldUntil))
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    /**
     * Holds an unfinished re-publication; null if another caller holds it. Unless it is released, the next attempt is
     * as far after this one as this one is after the start, so that failing or waiting re-publications are retried less
     * and less often.
     */
    async take(id: string, now: number): Promise<RepublicationRecord | null> {
      const wait = sql`max(${LOST_MS}, min(${MOST_WAIT_MS}, ${now} - ${republications.startedAt}))`;
      const [taken] = await db
        .update(republications)
        .set({ heldUntil: sql`${now} + ${wait}` })
        .where(and(eq(republications.id, id), isFree(now)))
        .returning();
      return taken ?? null;
    },

    async release(id: string): Promise<void> {
      await db.update(republications).set({ heldUntil: 0 }).where(eq(republications.id, id));
    },

    /** Saves the state after a part. */
    async save({ id, ...record }: RepublicationRecord): Promise<void> {
      const { toBoard, causes, correctedSamples, changes } = record;
      await db
        .update(republications)
        .set({ toBoard, causes, correctedSamples, changes })
        .where(and(eq(republications.id, id), isNull(republications.finishedAt)));
    },

    /** Replaces the old board by the new one, which then takes new runs. No-op if finished already. */
    async finish(
      {
        id,
        fromBoard,
        toBoard,
        changes,
      }: Pick<RepublicationRecord, "id" | "fromBoard" | "toBoard" | "changes">,
      now: number,
    ): Promise<void> {
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

    async abandon(id: string): Promise<void> {
      await db
        .delete(republications)
        .where(and(eq(republications.id, id), isNull(republications.finishedAt)));
    },

    ...dueRepublications(d1),
  };
}

/**
 * Boards that are due, except those of deleted datasets: after a correction of the dataset, or with another version of
 * the suite. A later attempt with this suite version counts as done, whatever its result. ?1: the suites' versions.
 */
const DUE = `
  WITH current AS (SELECT value ->> 'id' AS suite, value ->> 'version' AS version FROM json_each(?1))
  SELECT b.id FROM boards b JOIN current c ON c.suite = b.suite
  LEFT JOIN datasets d ON d.suite = b.suite AND d.name = b.dataset_name
    AND d.corrects ->> 'version' = b.dataset_version
  WHERE b.superseded_by IS NULL AND b.entries <> '[]'
    AND EXISTS (SELECT 1 FROM datasets own WHERE own.suite = b.suite AND own.name = b.dataset_name
      AND own.version = b.dataset_version)
    AND (d.version IS NOT NULL OR (b.judging IS NULL AND b.suite_version <> c.version))
    AND NOT EXISTS (SELECT 1 FROM republications r WHERE r.from_board = b.id
      AND r.to_suite_version = c.version AND r.started_at >= coalesce(d.created_at, 0))`;

/**
 * Submissions after a correction are on no earlier board. Paused runs are not awaited, because they may stay paused.
 * Only the live runs are read, and only for boards that are due.
 */
const DUE_AND_IDLE = `
  WITH due AS MATERIALIZED (${DUE}) SELECT id FROM due b
  WHERE NOT EXISTS (SELECT 1 FROM republications r WHERE r.from_board = b.id AND r.finished_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM runs WHERE +counted_on = b.id AND deleted_at IS NULL
    AND status IN ${LIVE} AND status <> 'paused' AND created_at > ?2)
  LIMIT ?3`;

/** Two boards that differ only in dataset version or scoring. */
const OF_ONE_CONFIGURATION = `
  b.id <> ?2 AND b.suite = ?3 AND b.dataset_name = ?4 AND b.prompt_hash = ?5
  AND b.structured_output = ?6 AND b.repeats = ?7`;

/**
 * SQL: answers that are being rescored for another board may be rescored for this one next, as after two corrections.
 * At first the other board is not known.
 */
const ON_ITS_WAY = `
  SELECT b.id FROM republications r JOIN boards b ON b.id = coalesce(r.to_board, r.from_board)
  WHERE r.finished_at IS NULL AND r.from_board <> ?2 AND ${OF_ONE_CONFIGURATION}`;

const versionsText = (suites: readonly SuiteVersion[]): string =>
  JSON.stringify(suites.map(({ id, version }) => ({ id, version })));

interface SuiteVersion {
  id: string;
  version: string;
}

type ComparableBoard = Pick<
  BoardRecord,
  "id" | "suite" | "datasetName" | "promptHash" | "structuredOutput" | "repeats"
>;

function dueRepublications(d1: D1Database) {
  return {
    /**
     * Boards that are due and not being re-published: their dataset version was corrected, or, without judges, their
     * suite has another version than in `suites`. Each is returned until it was tried once. Boards with active runs
     * submitted after `since` wait.
     */
    async due(suites: readonly SuiteVersion[], since: number, limit: number): Promise<string[]> {
      const found = await d1
        .prepare(DUE_AND_IDLE)
        .bind(versionsText(suites), since, limit)
        .all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },

    /** Whether answers of an older board of the same configuration will be scored again for this board. */
    async isAwaited(
      { id, suite, datasetName, ...how }: ComparableBoard,
      suites: readonly SuiteVersion[],
    ): Promise<boolean> {
      const { promptHash, structuredOutput, repeats } = how;
      const found = await d1
        .prepare(`${DUE} AND ${OF_ONE_CONFIGURATION} UNION ALL ${ON_ITS_WAY} LIMIT 1`)
        .bind(versionsText(suites), id, suite, datasetName, promptHash, structuredOutput, repeats)
        .all();
      return found.results.length > 0;
    },
  };
}
