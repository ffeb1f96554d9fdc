/** How long new uploads and deleted versions are kept: longer than any request or start of a run. */
export const LEFT_MS = 3_600_000;

/** After this time the claiming cron run is assumed to be dead. */
const CLAIM_MS = 600_000;

/** When to check objects again that a run still uses. */
const USED_MS = 86_400_000;

/** Inserts nothing while a cron run deletes the version's objects. */
const RESERVE = `
  INSERT INTO dataset_leftovers (suite, version, due_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (suite, version) DO UPDATE SET due_at = excluded.due_at WHERE claimed_at IS NULL
  RETURNING version`;

/** Datasets of deleted accounts have names that begin with this: runs on them need no rows. */
export const DELETED_NAMES = "deleted/";

const IN_USE = `
  EXISTS (SELECT 1 FROM runs r WHERE r.suite = l.suite AND r.dataset_version = l.version
    AND r.dataset_name NOT LIKE '${DELETED_NAMES}%')`;
const IS_KNOWN = `
  EXISTS (SELECT 1 FROM datasets d WHERE d.suite = l.suite AND d.version = l.version)`;

const FORGET_KNOWN = `
  DELETE FROM dataset_leftovers AS l WHERE due_at <= ?1 AND claimed_at IS NULL AND ${IS_KNOWN}`;
const POSTPONE_USED = `
  UPDATE dataset_leftovers AS l SET due_at = ?2 WHERE due_at <= ?1 AND claimed_at IS NULL AND ${IN_USE}`;
const CLAIM = `
  UPDATE dataset_leftovers SET claimed_at = ?1 WHERE (suite, version) IN (
    SELECT suite, version FROM dataset_leftovers l
    WHERE due_at <= ?1 AND (claimed_at IS NULL OR claimed_at <= ?2)
      AND NOT ${IS_KNOWN} AND NOT ${IN_USE} LIMIT ?3)
  RETURNING suite, version`;

/** For boards without runs. */
const FORGET_ATTEMPTS = `
  DELETE FROM attempts WHERE board_id IN (SELECT id FROM boards WHERE suite = ?1 AND dataset_version = ?2)`;
const FORGET_BOARDS = "DELETE FROM boards WHERE suite = ?1 AND dataset_version = ?2";
const FORGET = "DELETE FROM dataset_leftovers WHERE suite = ?1 AND version = ?2";

/** Versions whose objects may be unused, in D1. */
export function leftoverStore(d1: D1Database) {
  return {
    /** False while a cron run deletes the version's objects. */
    async reserve(suite: string, version: string, now: number): Promise<boolean> {
      const reserved = await d1
        .prepare(RESERVE)
        .bind(suite, version, now + LEFT_MS)
        .all();
      return reserved.results.length > 0;
    },

    /** Versions whose objects nothing refers to. Uploads of them are refused until `forgetLeftover`. */
    async claimLeftovers(
      now: number,
      limit: number,
    ): Promise<{ suite: string; version: string }[]> {
      await d1.batch([
        d1.prepare(FORGET_KNOWN).bind(now),
        d1.prepare(POSTPONE_USED).bind(now, now + USED_MS),
      ]);
      const claimed = await d1
        .prepare(CLAIM)
        .bind(now, now - CLAIM_MS, limit)
        .all<{ suite: string; version: string }>();
      return claimed.results;
    },

    /** Call this after the objects are deleted. Also deletes the boards of the version. */
    async forgetLeftover(suite: string, version: string): Promise<void> {
      const statements = [FORGET_ATTEMPTS, FORGET_BOARDS, FORGET];
      await d1.batch(statements.map((sql) => d1.prepare(sql).bind(suite, version)));
    },
  };
}
