import { and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Charge, UsageStore } from "../platform/limit-ports.ts";
import { usage } from "../platform/schema.ts";

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
