/** How long new uploads and deleted versions are kept: longer than any request or start of a run. */
export const LEFT_MS = 3_600_000;

/** After this time, the claimer of objects is assumed to be dead. */
export const CLAIM_MS = 600_000;

/** When to check objects again that a run still uses. */
const USED_MS = 86_400_000;

/**
 * Changes nothing while the version's objects are being deleted. A second upload moves the due time, so that neither
 * upload settles the row.
 */
const RESERVE = `
  INSERT INTO dataset_leftovers (suite, version, due_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (suite, version) DO UPDATE SET due_at = max(due_at, excluded.due_at) + 1
    WHERE claimed_at IS NULL
  RETURNING version`;

/** Prefix of names of datasets that belonged to deleted accounts: runs on them need no rows. */
export const DELETED_NAMES = "deleted/";

const ROWS_DELETED = "d.stream ->> 'rowsDeletedAt'";
/**
 * SQL: a stream keeps the version without its rows. If somebody else stored the same rows again, they are not the
 * stream's.
 */
const IS_LEFT = (leftovers: string) =>
  `d.suite = ${leftovers}.suite AND d.version = ${leftovers}.version AND ${ROWS_DELETED} IS NOT NULL`;
const IN_USE = `
  EXISTS (SELECT 1 FROM runs r WHERE r.suite = l.suite AND r.dataset_version = l.version
    AND r.dataset_name NOT LIKE '${DELETED_NAMES}%'
    AND NOT EXISTS (SELECT 1 FROM datasets d WHERE ${IS_LEFT("l")} AND d.name = r.dataset_name))`;
const IS_KNOWN = `
  EXISTS (SELECT 1 FROM datasets d
    WHERE d.suite = l.suite AND d.version = l.version AND ${ROWS_DELETED} IS NULL)`;

/** Also if a stream crashed while it deleted rows. */
const FORGET_KNOWN = `
  DELETE FROM dataset_leftovers AS l
  WHERE due_at <= ?1 AND (claimed_at IS NULL OR claimed_at <= ?2) AND ${IS_KNOWN}`;
const POSTPONE_USED = `
  UPDATE dataset_leftovers AS l SET due_at = ?2 WHERE due_at <= ?1 AND claimed_at IS NULL AND ${IN_USE}`;
const CLAIM = `
  UPDATE dataset_leftovers SET claimed_at = ?1 WHERE (suite, version) IN (
    SELECT suite, version FROM dataset_leftovers l
    WHERE due_at <= ?1 AND (claimed_at IS NULL OR claimed_at <= ?2)
      AND NOT ${IS_KNOWN} AND NOT ${IN_USE} LIMIT ?3)
  RETURNING suite, version, (SELECT json_object('count', stream ->> 'anchor', 'of', samples)
    FROM datasets d WHERE ${IS_LEFT("dataset_leftovers")}) AS kept`;

/** For boards without runs. */
const IS_GONE = `suite = ?1 AND dataset_version = ?2
  AND NOT EXISTS (SELECT 1 FROM datasets WHERE suite = ?1 AND version = ?2)`;
const FORGET_ATTEMPTS = `
  DELETE FROM attempts WHERE board_id IN (SELECT id FROM boards WHERE ${IS_GONE})`;
const FORGET_BOARDS = `DELETE FROM boards WHERE ${IS_GONE}`;
export const FORGET = "DELETE FROM dataset_leftovers WHERE suite = ?1 AND version = ?2";

/** How many of a version's first rows are kept, and how many there were. */
export interface KeptRows {
  count: number;
  of: number;
}

/** A version whose objects nothing refers to; `kept`: the rows that a stream keeps of it. */
export interface Leftover {
  suite: string;
  version: string;
  kept: KeptRows | null;
}

/** Versions whose objects may be unused, in D1. */
export function leftoverStore(d1: D1Database) {
  return {
    /** False while the version's objects are deleted. */
    async reserve(suite: string, version: string, now: number): Promise<boolean> {
      const reserved = await d1
        .prepare(RESERVE)
        .bind(suite, version, now + LEFT_MS)
        .all();
      return reserved.results.length > 0;
    },

    /** Versions whose objects nothing refers to. Uploads of them are refused until `forgetLeftover`. */
    async claimLeftovers(now: number, limit: number): Promise<Leftover[]> {
      await d1.batch([
        d1.prepare(FORGET_KNOWN).bind(now, now - CLAIM_MS),
        d1.prepare(POSTPONE_USED).bind(now, now + USED_MS),
      ]);
      const claimed = await d1
        .prepare(CLAIM)
        .bind(now, now - CLAIM_MS, limit)
        .all<Omit<Leftover, "kept"> & { kept: string | null }>();
      return claimed.results.map(({ kept, ...its }) => ({
        ...its,
        kept: kept && JSON.parse(kept),
      }));
    },

    /** Call this after the objects are deleted. Also deletes the boards of a version that no dataset has. */
    async forgetLeftover(suite: string, version: string): Promise<void> {
      const statements = [FORGET_ATTEMPTS, FORGET_BOARDS, FORGET];
      await d1.batch(statements.map((sql) => d1.prepare(sql).bind(suite, version)));
    },
  };
}
