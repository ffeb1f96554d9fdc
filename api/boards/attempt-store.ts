import { and, isNull, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Attempts } from "#shared/contracts/boards/leaderboard.ts";
import { LIVE } from "../platform/sql.ts";
import { runs } from "../runs/schema.ts";
import { attempts } from "./schema.ts";

/** Counts the runs of a submission, in the batch that stores them. Private runs are in no public count. */
export const countAttempts = (d1: D1Database, submissionId: string) =>
  drizzle(d1)
    .insert(attempts)
    .select(
      sql`SELECT counted_on, model_slug, count(*) FROM runs
        WHERE submission_id = ${submissionId} AND counted_on IS NOT NULL AND visibility <> 'private'
        GROUP BY 1, 2`,
    )
    .onConflictDoUpdate({
      target: [attempts.boardId, attempts.modelSlug],
      set: { total: sql`${attempts.total} + excluded.total` },
    });

/**
 * The category of a run that was not deleted. The reason that keeps it off the board takes precedence over its status.
 */
const kind = sql<Exclude<keyof Attempts, "total" | "deleted">>`CASE
  WHEN hidden_reason IS NOT NULL THEN 'hidden'
  WHEN visibility = 'unlisted' THEN 'unlisted'
  WHEN status IN ${sql.raw(LIVE)} THEN 'running'
  ELSE status END`;

/** A board and the boards that it superseded: attempts on those count, too. */
const withFormer = (boardId: string) => sql`(
  WITH RECURSIVE former (id) AS (SELECT ${boardId} UNION
    SELECT r.from_board FROM former JOIN republications r ON r.to_board = former.id)
  SELECT id FROM former)`;

/** Counts of the runs that were tried on boards. */
export const boardAttempts = (d1: D1Database) => ({
  /** All runs of each model in the board's configuration, by slug. `deleted` counts runs without a row. */
  async attempts(boardId: string): Promise<ReadonlyMap<string, Attempts>> {
    const db = drizzle(d1);
    const [totals, kept] = await db.batch([
      db
        .select({ modelSlug: attempts.modelSlug, total: sql<number>`sum(${attempts.total})` })
        .from(attempts)
        .where(sql`${attempts.boardId} IN ${withFormer(boardId)}`)
        .groupBy(attempts.modelSlug),
      db
        .select({ slug: runs.modelSlug, kind: kind.as("kind"), count: sql<number>`count(*)` })
        .from(runs)
        .where(
          and(
            sql`${runs.countedOn} IN ${withFormer(boardId)}`,
            isNull(runs.deletedAt),
            ne(runs.visibility, "private"),
          ),
        )
        .groupBy(runs.modelSlug, sql`kind`),
    ]);
    const counts = new Map(
      totals.map(({ modelSlug, total }) => [modelSlug, { ...noAttempts, total, deleted: total }]),
    );
    for (const { slug, kind, count } of kept) {
      const its = counts.get(slug);
      if (its === undefined) continue;
      its[kind] += count;
      its.deleted -= count;
    }
    return counts;
  },
});

export const noAttempts: Attempts = {
  total: 0,
  finished: 0,
  failed: 0,
  cancelled: 0,
  running: 0,
  unlisted: 0,
  hidden: 0,
  deleted: 0,
};
