import { and, asc, eq, gt, inArray, max, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { samples } from "../platform/schema.ts";
import type { RunStore, SampleQuery, SeqRange } from "./store.ts";

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

type Reads =
  | "samples"
  | "samplesAt"
  | "sampleList"
  | "sample"
  | "coveredRanges"
  | "judgedRanges"
  | "lastDoneMs";

/** What rows are in order by: as one value, so that a page begins after the last row of the page before. */
const placeByScore = sql`${samples.score} IS NULL, coalesce(${samples.score}, 0), ${samples.seq}`;

/** Rows after the last one of the page before; among scores it is looked up by its key. */
function isAfter(runId: string, { order, after }: SampleQuery): SQL | undefined {
  if (after === null) return undefined;
  if (order === "seq") return gt(samples.seq, after);
  const last = sql`SELECT ${placeByScore} FROM ${samples} WHERE ${samples.runId} = ${runId} AND ${samples.seq} = ${after}`;
  return sql`(${placeByScore}) > (${last})`;
}

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

    samplesAt: (runId, seqs) =>
      db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), inArray(samples.seq, [...seqs])))
        .orderBy(asc(samples.seq)),

    sampleList: (runId, query) =>
      db
        .select()
        .from(samples)
        .where(
          and(
            eq(samples.runId, runId),
            isAfter(runId, query),
            query.status === null ? undefined : eq(samples.status, query.status),
            query.covered === null ? undefined : eq(samples.covered, query.covered),
          ),
        )
        .orderBy(query.order === "score" ? placeByScore : asc(samples.seq))
        .limit(query.limit),

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
