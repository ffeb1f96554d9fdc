import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { ALL_SAMPLES } from "../runs/schema.ts";
import { usage } from "./schema.ts";

/** Samples charged to a key's quota of a day (YYYY-MM-DD, UTC). */
export interface Charge {
  key: string;
  day: string;
  samples: number;
  allowed: number;
}

export type UsageStore = ReturnType<typeof usageStore>;

/** Daily quota usage of keys, in D1. */
export function usageStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    async used(key: string, day: string): Promise<number> {
      const rows = await db
        .select({ used: usage.used })
        .from(usage)
        .where(and(eq(usage.key, key), eq(usage.day, day)))
        .limit(1);
      return rows[0]?.used ?? 0;
    },
  };
}

/** Charges a quota; beyond its limit the table's check undoes the whole batch. */
export function chargeQuota(d1: D1Database, { key, day, samples, allowed }: Charge) {
  return drizzle(d1)
    .insert(usage)
    .values({ key, day, used: samples, allowed })
    .onConflictDoUpdate({
      target: [usage.key, usage.day],
      set: { used: sql`${usage.used} + excluded.used`, allowed: sql`excluded.allowed` },
    });
}

/** Whether the batch failed on the quota check: the error contains its name. */
export const isOverQuota = (error: unknown): boolean =>
  messages(error).includes("usage_within_quota");

/** An error's message with those of its causes: drizzle wraps D1's message. */
export function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${messages(error.cause)}`;
}

/** A run's evaluated samples: those with a row, except samples lost by internal errors. */
const EVALUATED = `(SELECT count(*) FROM ${ALL_SAMPLES}
  WHERE run_id = ?1 AND error_class IS NOT 'lost')`;

/** The charge of a run: at least the evaluated samples, and at least what is not refundable. */
const DUE = `max(${EVALUATED}, charged - refundable)`;

/** A charge after the run's end may exceed the limit, because the answer exists already. Only new work is refused. */
const settleUsage = (condition: string): string => `
  UPDATE usage SET used = max(0, used + due.change), allowed = max(allowed, used + due.change)
  FROM (SELECT quota_key, quota_day, ${DUE} - charged AS change FROM runs
    WHERE id = ?1 AND quota_key IS NOT NULL AND ${condition}) AS due
  WHERE usage.key = due.quota_key AND usage.day = due.quota_day`;

const countRunEnd = (condition: string): string => `
  UPDATE runs SET (charged, refundable) = (
    SELECT n, refundable + n - charged FROM (SELECT ${DUE} AS n))
  WHERE id = ?1 AND ${condition}`;

/**
 * Statements that set a run's charge to its evaluated samples, if a condition on its row holds: returns unused samples,
 * charges late ones. Run them in the batch that ends the run. They count rows, so repeating them changes nothing.
 * Parameters: ?1 the run, and those of the condition.
 */
export const settleQuota = (condition: string): [usage: string, run: string] => [
  settleUsage(condition),
  countRunEnd(condition),
];
