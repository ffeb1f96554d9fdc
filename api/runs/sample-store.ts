import { and, asc, eq, gt, inArray, max, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type SampleRecord, samples } from "./schema.ts";

/** Which of a run's samples to list, and how. */
export interface SampleQuery {
  /** By place, or by score with the lowest first and those without one last; ties by place. */
  order: "seq" | "score";
  /** Place of the sample before the page; null: the first page. */
  after: number | null;
  limit: number;
  status: SampleRecord["status"] | null;
  covered: boolean | null;
}

/** Neighbouring places in a run, both ends included. */
export interface SeqRange {
  from: number;
  to: number;
}

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
export function sampleReads(d1: D1Database) {
  const db = drizzle(d1);
  return {
    samples: (runId: string, after: number, limit: number): Promise<SampleRecord[]> =>
      db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), gt(samples.seq, after)))
        .orderBy(asc(samples.seq))
        .limit(limit),

    /** A few samples by their places, ascending. */
    samplesAt: (runId: string, seqs: readonly number[]): Promise<SampleRecord[]> =>
      db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), inArray(samples.seq, [...seqs])))
        .orderBy(asc(samples.seq)),

    /** A page of samples in some order; unless by place and without a filter it reads all of the run's rows. */
    sampleList: (runId: string, query: SampleQuery): Promise<SampleRecord[]> =>
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

    async sample(runId: string, seq: number): Promise<SampleRecord | null> {
      const rows = await db
        .select()
        .from(samples)
        .where(and(eq(samples.runId, runId), eq(samples.seq, seq)))
        .limit(1);
      return rows[0] ?? null;
    },

    /** Where a run has samples with an answer, ascending. */
    async coveredRanges(runId: string): Promise<SeqRange[]> {
      return (await d1.prepare(COVERED_RANGES).bind(runId).all<SeqRange>()).results;
    },

    /** Where samples have all of their judgments, or need none, ascending. */
    async judgedRanges(runId: string): Promise<SeqRange[]> {
      return (await d1.prepare(JUDGED_RANGES).bind(runId).all<SeqRange>()).results;
    },

    /** When a run's last answer was in, ms from its start; null where nothing was asked. */
    async lastDoneMs(runId: string): Promise<number | null> {
      const rows = await db
        .select({ last: max(samples.doneMs) })
        .from(samples)
        .where(eq(samples.runId, runId));
      return rows[0]?.last ?? null;
    },
  };
}
