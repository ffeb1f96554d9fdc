import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { snapshotChanges } from "../publication/schema.ts";
import type { RunRecord } from "../runs/schema.ts";
import { plannedTests as table } from "./schema.ts";

/**
 * Maximum earlier runs whose pages are updated with the new count; without a limit, each submission would cost more
 * than the last.
 */
const MOST_COUNTED = 50;

/** ?1: owner, ?2: the other run, ?3: when the run was submitted, ?4: the run. */
const COUNT = `
  SELECT count(*) AS "of", coalesce(sum((created_at, run_id) <= (?3, ?4)), 0) AS number,
    (SELECT parity FROM parity_runs JOIN parities ON name = parity
      WHERE parity_runs.run_id = ?4 AND reference_id = ?2 AND removed_by IS NULL
      ORDER BY added_at LIMIT 1) AS parity
  FROM planned_tests WHERE owner = ?1 AND against = ?2`;

type Planned = Pick<RunRecord, "id" | "owner" | "createdAt">;

/**
 * Counts the planned tests of a submission's runs, in the batch that stores them. Rescored runs are no further tests,
 * and private runs are not counted.
 */
export function countPlannedTests(
  d1: D1Database,
  submission: { id: string; owner: string },
  against: string,
) {
  const db = drizzle(d1);
  const added = db
    .insert(table)
    .select(
      sql`SELECT owner, ${against}, id, created_at FROM runs
        WHERE submission_id = ${submission.id} AND parent_id IS NULL AND visibility <> 'private'`,
    )
    .onConflictDoNothing();
  const shown = db
    .insert(snapshotChanges)
    .select(
      sql`SELECT 'runs', run_id, 1 FROM planned_tests
        WHERE owner = ${submission.owner} AND against = ${against}
        ORDER BY created_at DESC LIMIT ${MOST_COUNTED}`,
    )
    .onConflictDoUpdate({
      target: [snapshotChanges.kind, snapshotChanges.id],
      set: { changes: sql`${snapshotChanges.changes} + 1` },
    });
  return [added, shown];
}

export const plannedTests = (d1: D1Database) => ({
  /**
   * The test's number among its account's tests against the same run, and their total, including tests of deleted runs.
   * `parity`: the one that compares both runs; null: none.
   */
  async testsAgainst(against: string, { id, owner, createdAt }: Planned) {
    const counted = d1.prepare(COUNT).bind(owner, against, createdAt, id);
    return (await counted.first<{ number: number; of: number; parity: string | null }>())!;
  },
});
