import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { prepared } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { type RetentionRecord, retentions } from "./schema.ts";

/** SQL for the rule of a new run: that of its dataset, else that of the account's other datasets. */
const RULE = `(SELECT answer_days, run_days FROM retentions its
  WHERE its.owner = runs.owner AND its.dataset IN ('', runs.dataset_name)
  ORDER BY its.dataset DESC LIMIT 1)`;

const RETAIN_ALL = `UPDATE runs SET (answer_days, run_days) = ${RULE} WHERE owner = ?1`;

/** A single statement for any number of rules, because a request has few queries. */
const INSERT = `INSERT INTO retentions (owner, dataset, answer_days, run_days)
  SELECT ?1, value ->> 'dataset', value ->> 'answerDays', value ->> 'runDays' FROM json_each(?2)`;

/** What rules (?2, as JSON) delete of an account's runs (?1) at once (?3: now), and when they delete next. */
const EFFECTS = `WITH
  rules AS (SELECT value ->> 'dataset' AS dataset, value ->> 'answerDays' AS answer_days,
    value ->> 'runDays' AS run_days FROM json_each(?2)),
  its AS (SELECT finished_at, answers_removed_at, (SELECT rules.dataset FROM rules
      WHERE rules.dataset IN ('', runs.dataset_name) ORDER BY rules.dataset DESC LIMIT 1) AS dataset
    FROM runs WHERE owner = ?1 AND deleted_at IS NULL AND finished_at IS NOT NULL),
  ends AS (SELECT dataset, finished_at + run_days * 86400000 AS run_at,
      CASE WHEN answers_removed_at IS NULL AND answer_days < coalesce(run_days, answer_days + 1)
        THEN finished_at + answer_days * 86400000 END AS answers_at
    FROM its JOIN rules USING (dataset))
SELECT rules.dataset, count(ends.dataset) AS runs, total(run_at <= ?3) AS dueRuns,
  total(answers_at <= ?3 AND coalesce(run_at > ?3, 1)) AS dueAnswers,
  min(CASE WHEN run_at > ?3 THEN run_at END) AS nextRunAt,
  min(CASE WHEN answers_at > ?3 THEN answers_at END) AS nextAnswersAt
FROM rules LEFT JOIN ends USING (dataset) GROUP BY rules.dataset ORDER BY rules.dataset`;

interface RetentionEffect {
  /** Dataset of the rule; empty: all other datasets. */
  dataset: string;
  runs: number;
  dueRuns: number;
  dueAnswers: number;
  nextRunAt: number | null;
  nextAnswersAt: number | null;
}

export type RetentionStore = ReturnType<typeof retentionStore>;

export function retentionStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    of: (owner: string): Promise<RetentionRecord[]> =>
      db
        .select()
        .from(retentions)
        .where(eq(retentions.owner, owner))
        .orderBy(asc(retentions.dataset)),
    /** What rules would delete of the existing runs. */
    async effects(
      owner: string,
      rules: readonly RetentionRecord[],
      now: number,
    ): Promise<RetentionEffect[]> {
      const statement = d1.prepare(EFFECTS).bind(owner, JSON.stringify(rules), now);
      return (await statement.all<RetentionEffect>()).results;
    },
    /** Replaces the rules, also for stored runs; their reports show the new rules. */
    async replace(owner: string, rules: readonly RetentionRecord[]): Promise<void> {
      await d1.batch([
        prepared(d1, db.delete(retentions).where(eq(retentions.owner, owner))),
        d1.prepare(INSERT).bind(owner, JSON.stringify(rules)),
        d1.prepare(RETAIN_ALL).bind(owner),
        d1.prepare(COUNT_RUNS("SELECT id FROM runs WHERE owner = ?1")).bind(owner),
      ]);
    },
  };
}
