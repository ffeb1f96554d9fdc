import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Charge, UsageStore } from "../pipeline/limit-ports.ts";
import type { RunRecord } from "../pipeline/ports.ts";
import { usage } from "./schema.ts";

/** What keys have taken of their daily quotas, in D1. */
export function usageStore(d1: D1Database): UsageStore {
  const db = drizzle(d1);
  return {
    async used(key, day) {
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

/** The check's name stands in the error of a batch that it undid. */
export const isOverQuota = (error: unknown): boolean =>
  messages(error).includes("usage_within_quota");

/** An error's message with those of its causes: drizzle wraps what D1 said. */
export function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${messages(error.cause)}`;
}

/**
 * Gives back what a run that is in one of the statuses did not get: samples without a row, and those
 * lost on our side. In one batch with the change of status, which forgets the key, so that a run
 * gives back once at the most.
 */
export function refundQuota(d1: D1Database, runId: string, from: readonly RunRecord["status"][]) {
  const missed = sql`(SELECT max(0, total - done) FROM runs WHERE id = ${runId})`;
  const lost = sql`(
    SELECT count(*) FROM samples WHERE run_id = ${runId} AND error_class = 'lost')`;
  const taken = sql`(
    SELECT quota_key, quota_day FROM runs WHERE id = ${runId} AND quota_key IS NOT NULL
      AND status IN (SELECT value FROM json_each(${JSON.stringify(from)})))`;
  return drizzle(d1)
    .update(usage)
    .set({ used: sql`max(0, ${usage.used} - ${missed} - ${lost})` })
    .where(sql`(${usage.key}, ${usage.day}) = ${taken}`);
}
