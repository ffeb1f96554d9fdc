import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { People } from "#shared/contracts/judging/rating.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { ratings, type StoredRating } from "./schema.ts";

/** Ratings per statement: a value may have 2 MB. */
const AT_ONCE = 2_000;

const columns = ["seq", "metric", "rater", "sampleId", "answerHash", "score"] as const;

/**
 * ?2: an array of ratings as arrays, in the order of `columns`. A rater's later rating replaces the earlier one. ?3:
 * maximum ratings of the run before them; null: they follow ratings of the same request, and are stored only if those
 * were.
 */
const ADD = `
  INSERT INTO ratings (run_id, seq, metric, rater, sample_id, answer_hash, score)
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
  FROM json_each(?2)
  WHERE iif(?3 IS NULL, changes() > 0, (SELECT count(*) FROM ratings WHERE run_id = ?1) <= ?3)
  ON CONFLICT (run_id, seq, metric, rater) DO UPDATE SET
    answer_hash = excluded.answer_hash, score = excluded.score`;

/** Run ?1 and the runs that rescore its answers, directly or not. */
const FAMILY = `
  WITH RECURSIVE family (id) AS (
    SELECT ?1 UNION SELECT runs.id FROM runs JOIN family ON runs.parent_id = family.id)
  SELECT id FROM family`;

/** The run whose answers run ?1 scores. */
const ROOT = `
  WITH RECURSIVE line (id, parent) AS (
    SELECT id, parent_id FROM runs WHERE id = ?1
    UNION SELECT runs.id, runs.parent_id FROM runs JOIN line ON runs.id = line.parent)
  SELECT id FROM line WHERE parent IS NULL`;

/** SQL: excludes samples of another account's private dataset, which must stay there. */
const OF_DATASET = `
  SELECT runs.dataset_version AS version, sample_id AS sampleId, answer_hash AS answerHash, metric, rater, score
  FROM runs JOIN ratings ON ratings.run_id = runs.id
  WHERE runs.owner = ?1 AND runs.suite = ?2 AND runs.dataset_name = ?3 AND runs.deleted_at IS NULL
    AND (runs.samples_owner IS NULL OR runs.samples_owner = ?1)
  ORDER BY runs.created_at DESC, runs.id, seq, metric, rater LIMIT ?4`;

/** A rating of an answer to a sample of a dataset's version. */
export type DatasetRating = Omit<StoredRating, "seq"> & { version: string };

/** The "+" keeps SQLite from reading all finished runs instead of the rated ones. */
const DUE = "SELECT id FROM runs WHERE rated_at IS NOT NULL AND +status = 'finished' LIMIT ?1";

const SETTLE = `
  UPDATE runs SET people = coalesce(?3, people),
    rated_at = CASE WHEN rated_at = ?2 THEN NULL ELSE rated_at END WHERE id = ?1`;

export type RatingStore = ReturnType<typeof ratingStore>;

export function ratingStore(d1: D1Database) {
  const run = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(...values);
  const db = drizzle(d1);
  return {
    /**
     * Stores ratings of a root's answers; the figures of its family are then due. Stores none and returns false beyond
     * `most`.
     */
    async add(root: string, rows: readonly StoredRating[], now: number, most: number) {
      const values = rows.map((row) => columns.map((name) => row[name]));
      const groups = Array.from({ length: Math.ceil(values.length / AT_ONCE) }, (_, i) =>
        values.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
      );
      const place = (i: number) => (i === 0 ? most - rows.length : null);
      const due = `UPDATE runs SET rated_at = ?2 WHERE changes() > 0 AND id IN (${FAMILY})`;
      const [first] = await d1.batch([
        ...groups.map((some, i) => run(ADD, root, JSON.stringify(some), place(i))),
        run(due, root, now),
      ]);
      return (first?.meta.changes ?? 0) > 0;
    },

    /** The run whose answers a run scores: itself, or the first in its chain of rescored runs. */
    async rootOf(runId: string): Promise<string> {
      return (await run(ROOT, runId).first<string>("id")) ?? runId;
    },

    /** A root's ratings in the order of the run; with `rater`, only that person's. */
    rows: (root: string, rater?: string): Promise<StoredRating[]> =>
      db
        .select()
        .from(ratings)
        .where(and(eq(ratings.runId, root), rater ? eq(ratings.rater, rater) : undefined))
        .orderBy(asc(ratings.seq), asc(ratings.metric), asc(ratings.rater)),

    /** Ratings of the answers to a dataset in an account's runs, those of the newest run first. */
    async ofDataset(
      owner: string,
      suite: string,
      dataset: string,
      limit: number,
    ): Promise<DatasetRating[]> {
      return (await run(OF_DATASET, owner, suite, dataset, limit).all<DatasetRating>()).results;
    },

    /** Marks a run that was summed up (again) as due if its answers have ratings. */
    async markIfRated(runId: string, now: number): Promise<void> {
      const sql = `UPDATE runs SET rated_at = ?2
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM ratings WHERE run_id IN (${ROOT}))`;
      await run(sql, runId, now).run();
    },

    /** Finished runs with ratings that are newer than their figures. */
    async due(limit: number): Promise<string[]> {
      return (await run(DUE, limit).all<{ id: string }>()).results.map(({ id }) => id);
    },

    /** Stores the figures for the ratings known at `ratedAt`; newer ratings stay due. Null keeps the stored figures. */
    async settle(runId: string, ratedAt: number, people: People | null): Promise<void> {
      const figures = people && JSON.stringify(people);
      await d1.batch([run(SETTLE, runId, ratedAt, figures), run(COUNT_RUNS("?1"), runId)]);
    },
  };
}
