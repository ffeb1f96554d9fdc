import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { entryStatements } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { LIVE } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { type RunRecord, runs } from "./schema.ts";

/** A run that was hidden, deleted or shown again, and its board. */
export interface WithdrawnRun {
  id: string;
  boardId: string | null;
  visibility: RunRecord["visibility"];
}

/** SQL condition: the run is neither hidden nor deleted. */
export const isInView = (): SQL | undefined =>
  and(isNull(runs.deletedAt), isNull(runs.hiddenReason));

/**
 * Hides a run and all its rescored copies, because they show the same answers. Copies hidden for another reason stay
 * hidden. Idempotent.
 */
const HIDE = `
  WITH RECURSIVE family (id, reason) AS (
    SELECT id, hidden_reason FROM runs WHERE id = ?1 AND deleted_at IS NULL
    UNION SELECT r.id, reason FROM family JOIN runs r ON r.parent_id = family.id)
  UPDATE runs SET hidden_reason = ?2
  WHERE id IN (SELECT id FROM family) AND deleted_at IS NULL AND (id = ?1
    OR hidden_reason IS NULL OR hidden_reason = (SELECT reason FROM family WHERE id = ?1))
  RETURNING id, board_id AS boardId, visibility`;

/** Includes copies that the service created. Idempotent. */
const REMOVE = `
  WITH RECURSIVE family (id) AS (SELECT ?1
    UNION SELECT r.id FROM family JOIN runs r ON r.parent_id = family.id AND r.republished)
  UPDATE runs SET deleted_at = ?2, sealed_secrets = NULL, finished_at = coalesce(finished_at, ?2),
    status = CASE WHEN status IN ${LIVE} THEN 'cancelled' ELSE status END
  WHERE id IN (SELECT id FROM family) AND (deleted_at IS NULL OR deleted_at = ?2)
  RETURNING id, board_id AS boardId, visibility`;

/** changes() refers to the previous statement. */
const COUNT_CHANGE = `
  INSERT INTO publications (target, changes) SELECT 'site', 1 WHERE changes() > 0
  ON CONFLICT (target) DO UPDATE SET changes = changes + 1`;

/** Runs before a change that makes a run public, or no longer public. */
const CHANGE_COUNTED = `
  INSERT INTO publications (target, changes) SELECT 'site', 1 FROM runs WHERE id = ?1
  ON CONFLICT (target) DO UPDATE SET changes = changes + 1`;

const FAMILY = `
  WITH RECURSIVE family (id) AS (
    SELECT ?1 UNION SELECT r.id FROM family JOIN runs r ON r.parent_id = family.id)`;

/** Hides or shows all runs of an account with a hidden reason (null: none). Parameters: ?1 owner, ?2 reason. */
const OF_OWNER = "WITH family (id) AS (SELECT id FROM runs WHERE owner = ?1)";
const HIDE_OWNED = `
  UPDATE runs SET hidden_reason = ?2,
    status = CASE WHEN status IN ('queued', 'running') AND done < total THEN 'paused' ELSE status END,
    status_reason = CASE WHEN status IN ('queued', 'running') AND done < total THEN ?2 ELSE status_reason END
  WHERE owner = ?1 AND deleted_at IS NULL AND hidden_reason IS NULL
  RETURNING id, board_id AS boardId, visibility`;
const SHOW_OWNED = `
  UPDATE runs SET hidden_reason = NULL
  WHERE owner = ?1 AND deleted_at IS NULL AND hidden_reason = ?2
  RETURNING id, board_id AS boardId, visibility`;

const COUNT_FAMILY = (family: string) => COUNT_RUNS(`${family} SELECT id FROM family`);

/**
 * Makes boards older than their runs, so that they are ranked again even if the message is lost. ?2: when runs on them
 * were withdrawn; null if none was, so that builds in progress still find the published objects.
 */
export const OUTDATE_BOARDS = (family: string) => `
  ${family}
  UPDATE boards SET updated_at = min(updated_at, ended - 1),
    withdrawn_at = coalesce(?2, withdrawn_at)
  FROM (SELECT coalesce(counted_on, board_id) AS board, min(finished_at) AS ended FROM runs
    WHERE id IN (SELECT id FROM family) AND finished_at IS NOT NULL AND visibility <> 'private'
    GROUP BY board) AS its
  WHERE boards.id = its.board`;

/** The run, and if ?2 is 'private' all its rescored copies, because they show the same answers. */
const CHANGED = `
  WITH RECURSIVE family (id) AS (SELECT ?1
    UNION SELECT r.id FROM family JOIN runs r ON r.parent_id = family.id AND ?2 = 'private')`;

/** Prefix of the note of a run that was made private. */
export const MADE_PRIVATE = "made private on ";
export const ITS_DATASET = "its dataset was made ";

/** Whether a note says that this run was made private; a copy has other notes. */
export const isOfNarrowing = (note: string): boolean =>
  [MADE_PRIVATE, ITS_DATASET].some((beginning) => note.startsWith(beginning));

/**
 * Runs before the change. Attempts include runs that were ever public or unlisted, so making a run private does not
 * undo its attempt.
 */
const COUNT_ATTEMPT = `
  INSERT INTO attempts (board_id, model_slug, total) SELECT counted_on, model_slug, 1 FROM runs
  WHERE id = ?1 AND ?2 <> 'private' AND visibility = 'private' AND counted_on IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(notes)
      WHERE value LIKE '${MADE_PRIVATE}%' OR value LIKE '${ITS_DATASET}%')
  ON CONFLICT (board_id, model_slug) DO UPDATE SET total = total + 1`;

/** ?3: a note for readers; null: none. Variants of a sweep and canaries are on no board. */
const CHANGE = (changed: string) => `
  ${changed}
  UPDATE runs SET visibility = ?2,
    board_id = CASE WHEN ?2 = 'public' AND variant IS NULL AND canary IS NULL THEN counted_on END,
    notes = CASE WHEN ?3 IS NULL THEN notes ELSE json_insert(notes, '$[#]', ?3) END
  WHERE id IN (SELECT id FROM family) AND deleted_at IS NULL AND visibility <> ?2
  RETURNING id, counted_on AS boardId, visibility`;

/** Removes references to a private run from later runs. A run that is shown again is compared by later ones. */
const FORGET_DRIFT = (changed: string) => `
  ${changed}
  DELETE FROM drifts WHERE ?2 = 'private'
    AND (run_id IN (SELECT id FROM family) OR reference_id IN (SELECT id FROM family))`;

/** Statements that hide runs. `changed`: a table `family` of their ids by ?1; ?2: their new visibility. */
export const NARROWED = (changed: string) => ({
  forgetDrift: FORGET_DRIFT(changed),
  change: CHANGE(changed),
});

const COUNT_TEST = `
  INSERT INTO planned_tests (owner, against, run_id, created_at)
  SELECT owner, options ->> '$.plannedTest.against', id, created_at FROM runs
  WHERE id = ?1 AND visibility <> 'private' AND parent_id IS NULL
    AND options ->> '$.plannedTest.against' IS NOT NULL
  ON CONFLICT DO NOTHING`;

/** Hides, deletes and shows runs, and marks published data about them as outdated. */
export function runVisibility(d1: D1Database) {
  const change = async (
    changing: D1PreparedStatement,
    runOrOwner: string,
    withdrawnAt: number | null,
    { family = FAMILY, entry }: { family?: string; entry?: AuditRecord | undefined } = {},
  ): Promise<WithdrawnRun[]> => {
    const [changed] = await d1.batch<WithdrawnRun>([
      changing,
      ...entryStatements(d1, entry),
      d1.prepare(COUNT_CHANGE),
      d1.prepare(COUNT_FAMILY(family)).bind(runOrOwner),
      d1.prepare(OUTDATE_BOARDS(family)).bind(runOrOwner, withdrawnAt),
    ]);
    return changed?.results ?? [];
  };
  return {
    /**
     * Hides a run with its rescored copies, or shows them again if `reason` is null. Returns all of them; empty if the
     * run was deleted.
     */
    hide: (
      runId: string,
      reason: string | null,
      now: number,
      entry?: AuditRecord,
    ): Promise<WithdrawnRun[]> =>
      change(d1.prepare(HIDE).bind(runId, reason), runId, reason === null ? null : now, { entry }),
    /** Hides all visible runs of an account, and pauses the active ones. Idempotent. */
    hideOwned: (owner: string, reason: string, now: number): Promise<WithdrawnRun[]> =>
      change(d1.prepare(HIDE_OWNED).bind(owner, reason), owner, now, { family: OF_OWNER }),
    /** Shows runs of an account that were hidden for this reason. Idempotent. */
    showOwned: (owner: string, reason: string): Promise<WithdrawnRun[]> =>
      change(d1.prepare(SHOW_OWNED).bind(owner, reason), owner, null, { family: OF_OWNER }),
    /**
     * Changes the visibility of a run; with 'private' also of all its rescored copies. Returns the changed runs, with
     * the boards that count them. `note`: for readers from now on.
     */
    async changeVisibility(
      runId: string,
      { visibility, note }: { visibility: RunRecord["visibility"]; note: string | null },
      now: number,
      entry?: AuditRecord,
    ): Promise<WithdrawnRun[]> {
      const { forgetDrift, change } = NARROWED(CHANGED);
      const changed = (statement: string) => d1.prepare(statement).bind(runId, visibility);
      const results = await d1.batch<WithdrawnRun>([
        d1.prepare(CHANGE_COUNTED).bind(runId),
        d1.prepare(COUNT_FAMILY(FAMILY)).bind(runId),
        d1.prepare(OUTDATE_BOARDS(FAMILY)).bind(runId, visibility === "public" ? null : now),
        changed(COUNT_ATTEMPT),
        changed(forgetDrift),
        d1.prepare(change).bind(runId, visibility, note),
        ...entryStatements(d1, entry),
        d1.prepare(COUNT_TEST).bind(runId),
        d1.prepare(COUNT_FAMILY(FAMILY)).bind(runId),
        d1.prepare(OUTDATE_BOARDS(FAMILY)).bind(runId, null),
      ]);
      return results[5]?.results ?? [];
    },
    /** Those of the runs that are in public lists. */
    async inView(runIds: readonly string[]): Promise<ReadonlySet<string>> {
      const isNamed = sql`id IN (SELECT value FROM json_each(${JSON.stringify(runIds)}))`;
      const rows = await drizzle(d1)
        .select({ id: runs.id })
        .from(runs)
        .where(and(isNamed, isInView(), eq(runs.visibility, "public")));
      return new Set(rows.map(({ id }) => id));
    },
    /**
     * Ends a run and marks it as deleted, with copies that the service created. Returns all of them; empty if it was
     * deleted already.
     */
    remove: (runId: string, now: number, entry?: AuditRecord): Promise<WithdrawnRun[]> =>
      change(d1.prepare(REMOVE).bind(runId, now), runId, now, { entry }),
  };
}
