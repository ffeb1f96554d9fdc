import { asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { prepared } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { type RetentionRecord, retentions } from "./schema.ts";

/** As new runs get it when they are stored: the rule of its dataset, else of its account's other datasets. */
const RULE = `(SELECT answer_days, run_days FROM retentions its
  WHERE its.owner = runs.owner AND its.dataset IN ('', runs.dataset_name)
  ORDER BY its.dataset DESC LIMIT 1)`;

const RETAIN_ALL = `UPDATE runs SET (answer_days, run_days) = ${RULE} WHERE owner = ?1`;

export type RetentionStore = ReturnType<typeof retentionStore>;

/** For how long accounts keep results, in D1. */
export function retentionStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    of: (owner: string): Promise<RetentionRecord[]> =>
      db
        .select()
        .from(retentions)
        .where(eq(retentions.owner, owner))
        .orderBy(asc(retentions.dataset)),
    /** Replaces the rules, also of stored runs; their reports say so. */
    async replace(owner: string, rules: readonly RetentionRecord[]): Promise<void> {
      await d1.batch([
        prepared(d1, db.delete(retentions).where(eq(retentions.owner, owner))),
        ...rules.map((rule) => prepared(d1, db.insert(retentions).values(rule))),
        d1.prepare(RETAIN_ALL).bind(owner),
        d1.prepare(COUNT_RUNS("SELECT id FROM runs WHERE owner = ?1")).bind(owner),
      ]);
    },
  };
}
