import { and, asc, eq, gt, max } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunStore, SeqRange } from "../pipeline/ports.ts";
import { samples } from "./schema.ts";

/** A row's distance from its number among the covered ones is the same throughout a range. */
const COVERED_RANGES = `
  SELECT min(seq) AS "from", max(seq) AS "to" FROM (
    SELECT seq, seq - row_number() OVER (ORDER BY seq) AS distance
    FROM samples WHERE run_id = ?1 AND covered)
  GROUP BY distance ORDER BY 1`;

/** Rows whose judgments are all there, or that need none. */
const JUDGED_RANGES = COVERED_RANGES.replace(
  "AND covered",
  "AND status <> 'answered' AND failed_judgments = 0",
);

type Reads = "samples" | "sample" | "coveredRanges" | "judgedRanges" | "lastDoneMs";

/** Reads of sample rows, by their key alone. */
export function sampleReads(d1: D1Database): Pick<RunStore, Reads> {
  const db = drizzle(d1);
  return {
    samples: (runId, after, limit) =>
      db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), gt(samples.seq, after)))
        .orderBy(asc(samples.seq))
        .limit(limit),

    async sample(runId, seq) {
      const rows = await db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), eq(samples.seq, seq)))
        .limit(1);
      return rows[0] ?? null;
    },

    async coveredRanges(runId) {
      return (await d1.prepare(COVERED_RANGES).bind(runId).all<SeqRange>()).results;
    },

    async judgedRanges(runId) {
      return (await d1.prepare(JUDGED_RANGES).bind(runId).all<SeqRange>()).results;
    },

    async lastDoneMs(runId) {
      const rows = await db
        .select({ last: max(samples.doneMs) })
        .from(samples)
        .where(eq(samples.runId, runId));
      return rows[0]?.last ?? null;
    },
  };
}
