import { getTableColumns } from "drizzle-orm";
import type { ObjectStore } from "../platform/object-store.ts";
import { type ArchivedSamples, sampleArchives } from "./sample-archive.ts";
import { ALL_SAMPLES, type SampleArchive, type SampleRecord, samples } from "./schema.ts";

/** Orders of a run's samples: by position, by score (lowest first, unscored last), by arrival (newest first). */
type Order = "seq" | "score" | "latest";

/** Filter, order and page of a run's samples. */
export interface SampleQuery {
  /** Ties by position. */
  order: Order;
  /** Position of the last sample on the previous page; null: the first page. */
  after: number | null;
  /** Reverses the order: from `after`, the samples before it. */
  isBackwards: boolean;
  limit: number;
  status: SampleRecord["status"] | null;
  covered: boolean | null;
  error: string | null;
  /** Bounds of the score, included. */
  min: number | null;
  max: number | null;
  /** Places of samples in the run, for all repeats; null: all. */
  places: readonly number[] | null;
  repeats: number;
}

/** A range of positions in a run, both ends included. */
export interface SeqRange {
  from: number;
  to: number;
}

/** In a range of consecutive covered rows, seq minus row number is constant. */
const COVERED_RANGES = `
  SELECT min(seq) AS "from", max(seq) AS "to" FROM (
    SELECT seq, seq - row_number() OVER (ORDER BY seq) AS distance
    FROM ${ALL_SAMPLES} WHERE run_id = ?1 AND covered)
  GROUP BY distance ORDER BY 1`;

/** Ranges of rows that need no further judgments. */
const JUDGED_RANGES = COVERED_RANGES.replace(
  "AND covered",
  "AND status <> 'answered' AND failed_judgments = 0",
);

const isJudged = ({ status, failedJudgments }: SampleRecord): boolean =>
  status !== "answered" && failedJudgments === 0;

const ROWS = `SELECT * FROM ${ALL_SAMPLES} WHERE run_id = ?1`;

/** Sort keys as row values, so that a page can continue after the previous page's last row. */
const KEYS: Readonly<Record<Order, readonly string[]>> = {
  seq: ["seq"],
  score: ["score IS NULL", "coalesce(score, 0)", "seq"],
  latest: ["coalesce(-done_ms, 1)", "seq"],
};

/** The sort keys of a row in memory. */
const keysOf: Readonly<Record<Order, (row: SampleRecord) => number[]>> = {
  seq: ({ seq }) => [seq],
  score: ({ score, seq }) => [Number(score === null), score ?? 0, seq],
  latest: ({ doneMs, seq }) => [doneMs === null ? 1 : -doneMs, seq],
};

const FITS = `(?4 IS NULL OR status = ?4) AND (?5 IS NULL OR covered = ?5)
  AND (?6 IS NULL OR error_class = ?6) AND (?7 IS NULL OR score >= ?7) AND (?8 IS NULL OR score <= ?8)
  AND (?9 IS NULL OR seq / CAST(?10 AS INTEGER) IN (SELECT value FROM json_each(?9)))`;

/** Parameters: ?1 run, ?2 previous position, ?3 maximum number of rows, from ?4 on the filters. */
function listOf(order: Order, isBackwards: boolean): string {
  const keys = KEYS[order];
  const [than, direction] = isBackwards ? ["<", "DESC"] : [">", "ASC"];
  // Sorting by position needs no row, and a range of positions reads no other rows.
  const follows =
    order === "seq"
      ? `seq ${than} coalesce(?2, ${isBackwards ? Number.MAX_SAFE_INTEGER : -1})`
      : `(?2 IS NULL OR (${keys}) ${than} (
          SELECT ${keys} FROM ${ALL_SAMPLES} WHERE run_id = ?1 AND seq = ?2))`;
  const sorted = keys.map((key) => `${key} ${direction}`);
  return `${ROWS} AND ${follows} AND ${FITS} ORDER BY ${sorted} LIMIT ?3`;
}

const LAST_DONE = `SELECT CASE WHEN total(done_ms IS NULL AND error_class IS NULL) = 0 THEN max(done_ms) END AS last FROM ${ALL_SAMPLES} WHERE run_id = ?1`;

/** Whether an answer was stored without a request of this run. */
const isUntimed = ({ doneMs, errorClass }: SampleRecord): boolean =>
  doneMs === null && errorClass === null;

/** Like `LAST_DONE`, for archived rows. */
async function lastDoneIn(pages: AsyncIterable<SampleRecord[]>): Promise<number | null> {
  let last: number | null = null;
  for await (const rows of pages) {
    if (rows.some(isUntimed)) return null;
    for (const { doneMs } of rows) if (doneMs !== null) last = Math.max(last ?? doneMs, doneMs);
  }
  return last;
}

/** Enough samples for a mean with an error of a few percent. */
const TIMED_SAMPLES = 500;

const isTimed = ({ latencyMs, requests }: SampleRecord): boolean =>
  latencyMs !== null && requests > 0;

const LATENCY = `
  SELECT sum(latency_ms) / sum(requests) AS mean FROM (
    SELECT latency_ms, requests FROM ${ALL_SAMPLES}
    WHERE run_id = ?1 AND latency_ms IS NOT NULL AND requests > 0
    ORDER BY seq LIMIT ${TIMED_SAMPLES})`;

/**
 * Whether a run's rows were moved to R2. Read in the same transaction as the rows, because they may move at any time.
 */
const MOVED = `
  SELECT id, retries, archive FROM runs WHERE id = ?1 AND archive IS NOT NULL`;

type Row = Record<string, unknown>;

/** Reads of sample rows by key: from the database, or from R2 for archived runs, with the same result. */
export function sampleReads(d1: D1Database, objects: Pick<ObjectStore, "getBytes">) {
  const archived = sampleArchives(objects);
  const either = async <T>(
    [sql, runId, ...values]: [sql: string, runId: string, ...values: unknown[]],
    live: (rows: Row[]) => T,
    moved: (archive: ArchivedSamples) => Promise<T>,
  ): Promise<T> => {
    const [marked, found] = await d1.batch<Row>([
      d1.prepare(MOVED).bind(runId),
      d1.prepare(sql).bind(runId, ...values),
    ]);
    const mark = marked?.results[0] as { id: string; retries: string; archive: string } | undefined;
    if (mark === undefined) return live(found?.results ?? []);
    const run = { id: mark.id, retries: JSON.parse(mark.retries) as string[] };
    return moved(archived(run, JSON.parse(mark.archive) as SampleArchive));
  };
  const records = (rows: Row[]) => rows.map(recordOf);
  const at = (runId: string, seqs: readonly number[]) =>
    either(
      [`${ROWS} AND seq IN (SELECT value FROM json_each(?2))`, runId, JSON.stringify(seqs)],
      (rows) => records(rows).sort((a, b) => a.seq - b.seq),
      (archive) => archive.at(seqs),
    );
  return {
    samples: (runId: string, after: number, limit: number): Promise<SampleRecord[]> =>
      either([`${ROWS} AND seq > ?2 ORDER BY seq LIMIT ?3`, runId, after, limit], records, (its) =>
        its.after(after, limit),
      ),

    /** Samples at some positions, ascending. */
    samplesAt: at,

    /** A page of samples. Reads all rows of the run, except in order of position without a filter. */
    sampleList(runId: string, query: SampleQuery): Promise<SampleRecord[]> {
      const { order, isBackwards, after, limit, status, covered, error, min, max } = query;
      const isCovered = covered === null ? null : Number(covered);
      const places = query.places && JSON.stringify(query.places);
      const filters = [status, isCovered, error, min, max, places, query.repeats];
      const sql = listOf(order, isBackwards);
      return either([sql, runId, after, limit, ...filters], records, (archive) =>
        archivedList(archive, query),
      );
    },

    sample: async (runId: string, seq: number): Promise<SampleRecord | null> =>
      (await at(runId, [seq]))[0] ?? null,

    /** Ranges of answered samples, ascending. */
    coveredRanges: (runId: string): Promise<SeqRange[]> =>
      either([COVERED_RANGES, runId], rangesIn, (its) => rangesOf(its, ({ covered }) => covered)),

    /** Ranges of samples that need no further judgments, ascending. */
    judgedRanges: (runId: string): Promise<SeqRange[]> =>
      either([JUDGED_RANGES, runId], rangesIn, (archive) => rangesOf(archive, isJudged)),

    /** Arrival of a run's last answer, ms from its start; null if not every answer was requested from the model. */
    lastDoneMs: (runId: string): Promise<number | null> =>
      either(
        [LAST_DONE, runId],
        ([row]) => (row?.["last"] ?? null) as number | null,
        (archive) => lastDoneIn(archive.from(0)),
      ),

    /** Mean latency per request over a run's first samples; null if none was timed. */
    meanLatencyMs: (runId: string): Promise<number | null> =>
      either(
        [LATENCY, runId],
        ([row]) => (row?.["mean"] ?? null) as number | null,
        async (archive) => {
          const timed = await archive.after(-1, TIMED_SAMPLES, isTimed);
          const sum = (of: (row: SampleRecord) => number | null) =>
            timed.reduce((total, row) => total + (of(row) ?? 0), 0);
          return timed.length === 0
            ? null
            : sum((row) => row.latencyMs) / sum((row) => row.requests);
        },
      ),
  };
}

const columns = Object.entries(getTableColumns(samples));

export const recordOf = (row: Row): SampleRecord =>
  Object.fromEntries(
    columns.map(([name, column]) => {
      const value = row[column.name] ?? null;
      return [name, value === null ? null : column.mapFromDriverValue(value as never)];
    }),
  ) as SampleRecord;

const ofRows = columns.filter(([name]) => name !== "runId");

/** SQL that inserts rows of run ?1 from a parameter: a JSON array of `sampleValues`. The caller appends a WHERE. */
export const INSERT_SAMPLES = (table: string, parameter: string): string => `
  INSERT INTO ${table} (run_id, ${ofRows.map(([, { name }]) => name)})
  SELECT ?1, ${ofRows.map((_, i) => `value ->> ${i}`)} FROM json_each(${parameter})`;

/** The columns of a row, without its run. */
export const sampleValues = (row: SampleRecord): unknown[] =>
  ofRows.map(([name, column]) => {
    const value = row[name as keyof SampleRecord];
    return value === null ? null : column.mapToDriverValue(value as never);
  });

const rangesIn = (rows: Row[]) => rows as unknown as SeqRange[];

async function rangesOf(
  archive: ArchivedSamples,
  fits: (row: SampleRecord) => boolean,
): Promise<SeqRange[]> {
  const ranges: SeqRange[] = [];
  for await (const rows of archive.from(0)) {
    for (const { seq } of rows.filter(fits)) {
      const last = ranges.at(-1);
      if (last?.to === seq - 1) last.to = seq;
      else ranges.push({ from: seq, to: seq });
    }
  }
  return ranges;
}

/** The query of `listOf`, for archived rows. */
async function archivedList(archive: ArchivedSamples, query: SampleQuery): Promise<SampleRecord[]> {
  const { order, after, isBackwards, limit } = query;
  const fits = fitting(query);
  if (order === "seq" && !isBackwards) return archive.after(after ?? -1, limit, fits);
  const last = after === null ? undefined : (await archive.at([after]))[0];
  // There are no rows after a missing one.
  if (after !== null && last === undefined) return [];
  const rows: SampleRecord[] = [];
  for await (const some of archive.from(0)) rows.push(...some.filter(fits));
  const sign = isBackwards ? -1 : 1;
  const compare = (a: SampleRecord, b: SampleRecord) =>
    sign * compareKeys(keysOf[order](a), keysOf[order](b));
  const following = last === undefined ? rows : rows.filter((row) => compare(row, last) > 0);
  return following.sort(compare).slice(0, limit);
}

const compareKeys = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((key, i) => key !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
};

function fitting({ status, covered, error, min, max, places, repeats }: SampleQuery) {
  const allowed = places && new Set(places);
  return (row: SampleRecord): boolean =>
    (status === null || row.status === status) &&
    (covered === null || row.covered === covered) &&
    (error === null || row.errorClass === error) &&
    (min === null || (row.score !== null && row.score >= min)) &&
    (max === null || (row.score !== null && row.score <= max)) &&
    (allowed === null || allowed.has(Math.floor(row.seq / repeats)));
}
