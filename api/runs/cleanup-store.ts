import { SEAT } from "../engine/seat-store.ts";
import { hasLiveChild, LIVE } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { sampleTables } from "./schema.ts";

const NOBODY_READS = `NOT ${hasLiveChild("runs.id")}`;

const DELETED = `
  SELECT id FROM runs WHERE deleted_at IS NOT NULL AND ${NOBODY_READS} AND NOT EXISTS (
    SELECT 1 FROM leases WHERE run_id = runs.id AND expires_at > ?1 AND holder NOT LIKE '${SEAT}%')
  ORDER BY deleted_at LIMIT ?2`;

const DELETED_OF = `
  SELECT id FROM runs WHERE owner = ?1 AND deleted_at IS NOT NULL AND ${NOBODY_READS}
    AND NOT EXISTS (SELECT 1 FROM leases
      WHERE run_id = runs.id AND expires_at > ?2 AND holder NOT LIKE '${SEAT}%') LIMIT ?3`;

const WITH_ANSWERS = `
  SELECT id FROM runs WHERE answers_removed_at IS NULL AND finished_at <= ?1
    AND deleted_at IS NULL AND ${NOBODY_READS}
  ORDER BY finished_at LIMIT ?2`;

/** SQL by the retention rules of accounts. The expressions match those of indexes. */
const DUE = (days: string, what: string) => `
  SELECT id FROM runs WHERE ${days} IS NOT NULL AND ${what} IS NULL
    AND finished_at + ${days} * 86400000 <= ?1 AND deleted_at IS NULL AND ${NOBODY_READS}
  ORDER BY finished_at + ${days} * 86400000 LIMIT ?2`;

const WITH_ANSWERS_ON = `
  SELECT id FROM runs WHERE suite = ?1 AND dataset_version = ?2
    AND answers_removed_at IS NULL AND deleted_at IS NULL`;

const DROP_SAMPLES = (table: string) => `
  DELETE FROM ${table} WHERE run_id = ?1
    AND seq IN (SELECT seq FROM ${table} WHERE run_id = ?1 ORDER BY seq LIMIT ?2)`;

const DROP_SUBMISSION = `
  DELETE FROM submissions WHERE id = (SELECT submission_id FROM runs WHERE id = ?1)
    AND NOT EXISTS (SELECT 1 FROM runs WHERE submission_id = submissions.id AND id <> ?1)`;

/** Makes the deleted run's parent the parent of its rescored runs. */
const LEAVE_CHILDREN = `
  UPDATE runs SET parent_id = gone.parent_id
  FROM (SELECT parent_id FROM runs WHERE id = ?1 AND parent_id IS NOT NULL) AS gone
  WHERE runs.parent_id = ?1`;

const PRUNE_LEASES = `
  DELETE FROM leases WHERE (run_id, lane) IN (
    SELECT run_id, lane FROM leases WHERE expires_at <= ?1 AND NOT EXISTS (
      SELECT 1 FROM runs WHERE id = run_id
        AND (status IN ${LIVE} OR finished_at > ?1))
    LIMIT ?2)`;

export type CleanupStore = ReturnType<typeof cleanupStore>;

/** Deletes data that nobody may read any more from D1, in short steps. */
export function cleanupStore(d1: D1Database) {
  const run = (sql: string, ...values: (string | number)[]) => d1.prepare(sql).bind(...values);
  const ids = async (sql: string, time: number, limit: number) =>
    (await run(sql, time, limit).all<{ id: string }>()).results.map(({ id }) => id);
  return {
    /** Deleted runs on which no lane works and whose answers no rescoring reads, oldest deletion first. */
    deletedRuns: (now: number, limit: number): Promise<string[]> => ids(DELETED, now, limit),
    /** Like `deletedRuns`, for one account. */
    async deletedRunsOf(owner: string, now: number, limit: number): Promise<string[]> {
      const found = await run(DELETED_OF, owner, now, limit).all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },
    /** Runs that ended before `endedBefore` and have raw answers, oldest first. */
    withAnswersSince: (endedBefore: number, limit: number): Promise<string[]> =>
      ids(WITH_ANSWERS, endedBefore, limit),
    /** Runs for which their account's retention rules are due, for the run or its answers. */
    answersDue: (now: number, limit: number): Promise<string[]> =>
      ids(DUE("answer_days", "answers_removed_at"), now, limit),
    runsDue: (now: number, limit: number): Promise<string[]> =>
      ids(DUE("run_days", "deleted_at"), now, limit),
    /** Runs on a dataset version that have raw answers, or may get some. */
    async withAnswersOn(suite: string, version: string): Promise<string[]> {
      const found = await run(WITH_ANSWERS_ON, suite, version).all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },
    /** After this no lane can write to the run. */
    async dropLeases(runId: string): Promise<void> {
      await run("DELETE FROM leases WHERE run_id = ?1", runId).run();
    },
    /** Deletes at most `limit` rows and returns their number. */
    async dropSamples(runId: string, limit: number): Promise<number> {
      const drops = sampleTables.map((table) => run(DROP_SAMPLES(table), runId, limit));
      return (await d1.batch(drops)).reduce((sum, { meta }) => sum + meta.changes, 0);
    },
    /** Deletes the run's row, and its submission's row with the last run. */
    async dropRun(runId: string): Promise<void> {
      await d1.batch([
        run(DROP_SUBMISSION, runId),
        run(COUNT_RUNS("SELECT id FROM runs WHERE parent_id = ?1"), runId),
        run(LEAVE_CHILDREN, runId),
        run("DELETE FROM ratings WHERE run_id = ?1", runId),
        run("DELETE FROM batches WHERE run_id = ?1", runId),
        run("DELETE FROM reader_reports WHERE run_id = ?1", runId),
        run("DELETE FROM runs WHERE id = ?1 AND deleted_at IS NOT NULL", runId),
      ]);
    },
    async markAnswersRemoved(runId: string, now: number): Promise<void> {
      await d1.batch([
        run("UPDATE runs SET answers_removed_at = ?2 WHERE id = ?1", runId, now),
        run(COUNT_RUNS("?1"), runId),
      ]);
    },
    async pruneLeases(expiredBefore: number, limit: number): Promise<void> {
      await run(PRUNE_LEASES, expiredBefore, limit).run();
    },
  };
}
