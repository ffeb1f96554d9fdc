import { and, isNull, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { LIVE } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { type RunRecord, runs } from "./schema.ts";

/** A run that came into view or out of it, and the board that it is on. */
export interface WithdrawnRun {
  id: string;
  boardId: string | null;
  visibility: RunRecord["visibility"];
}

/** Runs that anybody may read, as a condition of a query. */
export const isInView = (): SQL | undefined =>
  and(isNull(runs.deletedAt), isNull(runs.hiddenReason));

/**
 * A run with those that score its answers again, and so on: they show the same answers. Those that
 * were hidden for a reason of their own keep it. Sent again it finds the same runs.
 */
const HIDE = `
  WITH RECURSIVE family (id, reason) AS (
    SELECT id, hidden_reason FROM runs WHERE id = ?1 AND deleted_at IS NULL
    UNION SELECT r.id, reason FROM family JOIN runs r ON r.parent_id = family.id)
  UPDATE runs SET hidden_reason = ?2
  WHERE id IN (SELECT id FROM family) AND deleted_at IS NULL AND (id = ?1
    OR hidden_reason IS NULL OR hidden_reason = (SELECT reason FROM family WHERE id = ?1))
  RETURNING id, board_id AS boardId, visibility`;

/** With it what the service made of its answers. The same removal may be sent again. */
const REMOVE = `
  WITH RECURSIVE family (id) AS (SELECT ?1
    UNION SELECT r.id FROM family JOIN runs r ON r.parent_id = family.id AND r.republished)
  UPDATE runs SET deleted_at = ?2, sealed_secrets = NULL, finished_at = coalesce(finished_at, ?2),
    status = CASE WHEN status IN ${LIVE} THEN 'cancelled' ELSE status END
  WHERE id IN (SELECT id FROM family) AND (deleted_at IS NULL OR deleted_at = ?2)
  RETURNING id, board_id AS boardId, visibility`;

/** changes() is that of the statement before. */
const COUNT_CHANGE = `
  INSERT INTO publications (target, changes) SELECT 'site', 1 WHERE changes() > 0
  ON CONFLICT (target) DO UPDATE SET changes = changes + 1`;

const FAMILY = `
  WITH RECURSIVE family (id) AS (
    SELECT ?1 UNION SELECT r.id FROM family JOIN runs r ON r.parent_id = family.id)`;

const COUNT_FAMILY = COUNT_RUNS(`${FAMILY} SELECT id FROM family`);

/** Made older than its runs, a board is ranked again even when the message about it is lost. */
const OUTDATE_BOARDS = `
  ${FAMILY}
  UPDATE boards SET updated_at = min(updated_at, ended - 1), withdrawn_at = ?2
  FROM (SELECT coalesce(counted_on, board_id) AS board, min(finished_at) AS ended FROM runs
    WHERE id IN (SELECT id FROM family) AND finished_at IS NOT NULL GROUP BY board) AS its
  WHERE boards.id = its.board`;

/** Takes runs out of view and back; what is published of them is marked as outdated with it. */
export function runVisibility(d1: D1Database) {
  const change = async (
    changing: D1PreparedStatement,
    runId: string,
    now: number,
  ): Promise<WithdrawnRun[]> => {
    const [changed] = await d1.batch<WithdrawnRun>([
      changing,
      d1.prepare(COUNT_CHANGE),
      d1.prepare(COUNT_FAMILY).bind(runId),
      d1.prepare(OUTDATE_BOARDS).bind(runId, now),
    ]);
    return changed?.results ?? [];
  };
  return {
    /**
     * Hides a run with those that scored its answers again, or shows them again for null: gives all of
     * them, none where it is gone.
     */
    hide: (runId: string, reason: string | null, now: number): Promise<WithdrawnRun[]> =>
      change(d1.prepare(HIDE).bind(runId, reason), runId, now),
    /** Those of the runs that anybody may read. */
    async inView(runIds: readonly string[]): Promise<ReadonlySet<string>> {
      const isNamed = sql`id IN (SELECT value FROM json_each(${JSON.stringify(runIds)}))`;
      const rows = await drizzle(d1)
        .select({ id: runs.id })
        .from(runs)
        .where(and(isNamed, isInView()));
      return new Set(rows.map(({ id }) => id));
    },
    /**
     * Ends a run and marks it as deleted, with those that the service made of its answers: gives all of them,
     * none where it is so already.
     */
    remove: (runId: string, now: number): Promise<WithdrawnRun[]> =>
      change(d1.prepare(REMOVE).bind(runId, now), runId, now),
  };
}
