import type { CleanupStore } from "../platform/ports.ts";
import { hasLiveChild, LIVE } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";

const NOBODY_READS = `NOT ${hasLiveChild("runs.id")}`;

const DELETED = `
  SELECT id FROM runs WHERE deleted_at IS NOT NULL AND ${NOBODY_READS} AND NOT EXISTS (
    SELECT 1 FROM leases WHERE run_id = runs.id AND expires_at > ?1)
  ORDER BY deleted_at LIMIT ?2`;

const WITH_ANSWERS = `
  SELECT id FROM runs WHERE answers_removed_at IS NULL AND finished_at <= ?1
    AND deleted_at IS NULL AND ${NOBODY_READS}
  ORDER BY finished_at LIMIT ?2`;

const DROP_SAMPLES = `
  DELETE FROM samples WHERE run_id = ?1
    AND seq IN (SELECT seq FROM samples WHERE run_id = ?1 ORDER BY seq LIMIT ?2)`;

const DROP_SUBMISSION = `
  DELETE FROM submissions WHERE id = (SELECT submission_id FROM runs WHERE id = ?1)
    AND NOT EXISTS (SELECT 1 FROM runs WHERE submission_id = submissions.id AND id <> ?1)`;

/** What scored its answers again follows the run whose answers these were. */
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

/** What is left of deleted and old runs, in D1. */
export function cleanupStore(d1: D1Database): CleanupStore {
  const run = (sql: string, ...values: (string | number)[]) => d1.prepare(sql).bind(...values);
  const ids = async (sql: string, time: number, limit: number) =>
    (await run(sql, time, limit).all<{ id: string }>()).results.map(({ id }) => id);
  return {
    deletedRuns: (now, limit) => ids(DELETED, now, limit),
    withAnswersSince: (endedBefore, limit) => ids(WITH_ANSWERS, endedBefore, limit),
    async dropLeases(runId) {
      await run("DELETE FROM leases WHERE run_id = ?1", runId).run();
    },
    async dropSamples(runId, limit) {
      return (await run(DROP_SAMPLES, runId, limit).run()).meta.changes;
    },
    async dropRun(runId) {
      await d1.batch([
        run(DROP_SUBMISSION, runId),
        run(COUNT_RUNS("SELECT id FROM runs WHERE parent_id = ?1"), runId),
        run(LEAVE_CHILDREN, runId),
        run("DELETE FROM runs WHERE id = ?1 AND deleted_at IS NOT NULL", runId),
      ]);
    },
    async markAnswersRemoved(runId, now) {
      await d1.batch([
        run("UPDATE runs SET answers_removed_at = ?2 WHERE id = ?1", runId, now),
        run(COUNT_RUNS("?1"), runId),
      ]);
    },
    async pruneLeases(expiredBefore, limit) {
      await run(PRUNE_LEASES, expiredBefore, limit).run();
    },
  };
}
