import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { ALL_SAMPLES } from "../runs/schema.ts";
import { usage } from "./schema.ts";

/** Samples taken from a key's quota of a day (YYYY-MM-DD, UTC). */
export interface Charge {
  key: string;
  day: string;
  samples: number;
  allowed: number;
}

export type UsageStore = ReturnType<typeof usageStore>;

/** What keys have taken of their daily quotas, in D1. */
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

/** Takes samples from a quota; past its end the table's check undoes the whole batch. */
export function chargeQuota(d1: D1Database, { key, day, samples, allowed }: Charge) {
  return drizzle(d1)
    .insert(usage)
    .values({ key, day, used: samples, allowed })
    .onConflictDoUpdate({
      target: [usage.key, usage.day],
      set: { used: sql`${usage.used} + excluded.used`, allowed: sql`excluded.allowed` },
    });
}

/** Name of the check, which the error of a rejected batch contains. */
export const isOverQuota = (error: unknown): boolean =>
  messages(error).includes("usage_within_quota");

/** An error's message with those of its causes: drizzle wraps what D1 said. */
export function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${messages(error.cause)}`;
}

/** A run's samples that were evaluated: those with a row, but for what was lost on our side. */
const EVALUATED = `(SELECT count(*) FROM ${ALL_SAMPLES}
  WHERE run_id = ?1 AND error_class IS NOT 'lost')`;

/** What a run is to be charged for: no less than was evaluated, no less than can't be given back. */
const DUE = `max(${EVALUATED}, charged - refundable)`;

/** A charge after the end may pass the limit: the answer is there. New work still finds it passed. */
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
 * Statements that make what a run is charged for equal to what was evaluated of it, where a
 * condition on its row holds: what it did not get is given back, what came after its end is charged.
 * In one batch with the change that they follow from. They count rows, so that sent again they
 * change nothing. Parameters: ?1 the run, and those of the condition.
 */
export const settleQuota = (condition: string): [usage: string, run: string] => [
  settleUsage(condition),
  countRunEnd(condition),
];
