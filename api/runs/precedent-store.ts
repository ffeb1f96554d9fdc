import { and, eq, gt, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { runs } from "../platform/schema.ts";
import type { PrecedentQuery, RunStore } from "./run-ports.ts";
import { isInView } from "./visibility-store.ts";

/** A mean of so many samples is good to a few percent. */
const TIMED_SAMPLES = 500;

const LATENCY = `
  SELECT sum(latency_ms) / sum(requests) AS mean FROM (
    SELECT latency_ms, requests FROM samples
    WHERE run_id = ?1 AND latency_ms IS NOT NULL AND requests > 0
    ORDER BY seq LIMIT ${TIMED_SAMPLES})`;

/** What earlier runs tell of one to come. */
export function precedents(d1: D1Database): Pick<RunStore, "precedent" | "meanLatencyMs"> {
  const db = drizzle(d1);
  return {
    async precedent(query, owner) {
      const found = await db
        .select()
        .from(runs)
        .where(and(eq(runs.status, "finished"), visibleTo(owner), ...kindOf(query)))
        // Entries of an index stand by rowid within one value: the newest comes without a sort.
        .orderBy(sql`${runs}.rowid DESC`)
        .limit(1);
      return found[0] ?? null;
    },

    async meanLatencyMs(runId) {
      const row = await d1.prepare(LATENCY).bind(runId).first<{ mean: number | null }>();
      return row?.mean ?? null;
    },
  };
}

const visibleTo = (owner: string): SQL | undefined =>
  and(isInView(), or(eq(runs.visibility, "public"), eq(runs.owner, owner)));

function kindOf(query: PrecedentQuery): SQL[] {
  if ("modelSlug" in query) return [eq(runs.modelSlug, query.modelSlug), isNotNull(runs.endpoint)];
  const suite = eq(runs.suite, query.suite);
  if ("called" in query) return [suite, isNotNull(runs.endpoint)];
  const metered = [gt(runs.outputTokens, 0), eq(runs.unmetered, 0), gt(runs.done, runs.failed)];
  return [suite, eq(runs.datasetName, query.datasetName), ...metered];
}
