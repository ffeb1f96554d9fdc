import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { ownersOf, type Reader } from "../keys/account.ts";
import { messages } from "../keys/quota-store.ts";
import { isOneOf, prepared } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { type RunRecord, runs } from "../runs/schema.ts";
import { isInView } from "../runs/visibility-store.ts";
import { type DriftRecord, drifts } from "../schedules/schema.ts";

/** Maximum length of a page of history. */
const MOST_OF_MODEL = 2_000;

/** Maximum characters of options read for a page; runs with a record need none. */
const MOST_OPTIONS = 8_000_000;

/** Excludes sweeps, canaries and rescorings. The latest runs are found by the index `runs_with_answers`. */
const UNWATCHED = `
  SELECT r.id FROM (
    SELECT id, finished_at, status = 'finished' AND endpoint IS NOT NULL AND parent_id IS NULL
      AND variant IS NULL AND canary IS NULL AND hidden_reason IS NULL AND deleted_at IS NULL AS is_watched
    FROM runs WHERE finished_at > ?1 AND finished_at < ?2 AND answers_removed_at IS NULL
    ORDER BY finished_at DESC LIMIT ?4) r
  LEFT JOIN drifts d ON d.run_id = r.id
  WHERE r.is_watched
    AND (d.run_id IS NULL OR (d.finished_at <> r.finished_at AND (NOT d.covered OR d.position =
      (SELECT max(position) FROM drifts WHERE series = d.series AND covered))))
  ORDER BY r.finished_at LIMIT ?3`;

export interface WatchedRun {
  run: RunRecord;
  record: DriftRecord;
}

/** Runs that finished within a period, Unix ms: at most `limit` of the `latest` ones. */
interface Period {
  after: number;
  before: number;
  latest: number;
  limit: number;
}

/** A finished run with its drift record; null: not compared yet. */
export interface HistoryRun {
  run: Pick<RunRecord, keyof typeof ofHistory | "metrics">;
  record: Pick<DriftRecord, "series" | "drift"> | null;
  /** Options of a run that is not compared yet; null: it is, or the options of too many runs are large. */
  asked: Pick<RunRecord, "options" | "hybrid"> | null;
}

/** A drift record with its run, without the run's large columns: the snapshot lists hundreds of them. */
export interface NewsOfRun {
  run: Pick<
    RunRecord,
    "id" | "model" | "modelSlug" | "suite" | "datasetName" | "datasetVersion" | "headline"
  >;
  record: DriftRecord;
}

/** Columns of a run in a history. Prompts in its options are large, and anybody may ask for two thousand runs. */
const ofHistory = {
  id: runs.id,
  owner: runs.owner,
  visibility: runs.visibility,
  suite: runs.suite,
  headline: runs.headline,
  datasetName: runs.datasetName,
  datasetVersion: runs.datasetVersion,
  modelSlug: runs.modelSlug,
  promptHash: runs.promptHash,
  scoringVersion: runs.scoringVersion,
  finishedAt: runs.finishedAt,
};

export type DriftStore = ReturnType<typeof driftStore>;

export function driftStore(d1: D1Database) {
  const db = drizzle(d1);
  // The page of a re-evaluation shows which drop it could have detected.
  const countRun = ({ runId, drift }: Pick<DriftRecord, "runId" | "drift">) =>
    d1
      .prepare(COUNT_RUNS("SELECT value FROM json_each(?1)"))
      .bind(JSON.stringify(drift.detectable === null ? [] : [runId]));
  return {
    async get(runId: string): Promise<DriftRecord | null> {
      return (await db.select().from(drifts).where(eq(drifts.runId, runId)).limit(1))[0] ?? null;
    },
    /** The number of taken positions of a series, and the position of its newest covered run. */
    async places(series: string): Promise<{ length: number; newest: number | null }> {
      const covered = sql<
        number | null
      >`max(CASE WHEN ${drifts.covered} THEN ${drifts.position} END)`;
      const rows = await db
        .select({ last: max(drifts.position), newest: covered })
        .from(drifts)
        .where(eq(drifts.series, series));
      return { length: (rows[0]?.last ?? -1) + 1, newest: rows[0]?.newest ?? null };
    },
    ...driftLists(db),
    /** False if the run or its position is taken. */
    async insert(record: DriftRecord): Promise<boolean> {
      try {
        await d1.batch([prepared(d1, db.insert(drifts).values(record)), countRun(record)]);
        return true;
      } catch (error) {
        if (messages(error).includes("UNIQUE constraint failed: drifts")) return false;
        throw error;
      }
    },
    /** Replaces a run's record. Throws if its position was taken meanwhile. */
    async replace({ runId, ...record }: DriftRecord): Promise<void> {
      const changed = db.update(drifts).set(record).where(eq(drifts.runId, runId));
      await d1.batch([prepared(d1, changed), countRun({ runId, drift: record.drift })]);
    },
    /** Ids of eligible runs without a record, at most `limit` of the `latest` that finished in this period. */
    async unwatched({ after, before, latest, limit }: Period): Promise<string[]> {
      const query = d1.prepare(UNWATCHED).bind(after, before, limit, latest);
      return (await query.all<{ id: string }>()).results.map(({ id }) => id);
    },
  };
}

function driftLists(db: DrizzleD1Database) {
  const watched = () =>
    db
      .select({ run: runs, record: drifts })
      .from(drifts)
      .innerJoin(runs, eq(runs.id, drifts.runId));
  const earlier = (series: string, position: number) => [
    eq(drifts.series, series),
    lt(drifts.position, position),
  ];
  const { id, model, modelSlug, suite, datasetName, datasetVersion, headline } = runs;
  const shown = { id, model, modelSlug, suite, datasetName, datasetVersion, headline };
  const newest = (which: SQL, limit: number) =>
    db
      .select({ run: shown, record: drifts })
      .from(drifts)
      .innerJoin(runs, eq(runs.id, drifts.runId))
      .where(and(which, eq(runs.visibility, "public"), isInView()))
      .orderBy(desc(drifts.finishedAt), desc(drifts.runId))
      .limit(limit);
  const size = sql<number>`iif(${drifts.runId} IS NULL, length(${runs.options}) + coalesce(length(${runs.hybrid}), 0), 0)`;
  const finished = async (which: SQL | undefined): Promise<HistoryRun[]> => {
    // Runs of a series may have different headlines.
    const ids = db.selectDistinct({ headline: runs.headline }).from(runs).where(which);
    const metrics = sql`(SELECT json_group_object(key, json(value)) FROM json_each(${runs.metrics}) WHERE key IN ${ids})`;
    const found = await db
      .select({
        run: { ...ofHistory, metrics: metrics.mapWith(runs.metrics) },
        record: { series: drifts.series, drift: drifts.drift },
        size,
      })
      .from(runs)
      .leftJoin(drifts, eq(drifts.runId, runs.id))
      .where(
        and(
          which,
          eq(runs.status, "finished"),
          isNotNull(runs.endpoint),
          isNull(runs.parentId),
          isNull(runs.variant),
          isNull(runs.canary),
          isInView(),
        ),
      )
      .orderBy(asc(runs.finishedAt), asc(runs.id), sql`${drifts.position}`)
      .limit(MOST_OF_MODEL);
    let read = 0;
    const asking = found.filter((one) => {
      read += one.size;
      return one.record === null && read <= MOST_OPTIONS;
    });
    const asked = asking.length === 0 ? [] : await askedOf(asking.map(({ run }) => run.id));
    const byId = new Map(asked.map(({ id, ...its }) => [id, its]));
    return found.map(({ run, record }) => ({ run, record, asked: byId.get(run.id) ?? null }));
  };
  const askedOf = (ids: readonly string[]) =>
    db
      .select({ id: runs.id, options: runs.options, hybrid: runs.hybrid })
      .from(runs)
      .where(isOneOf(runs.id, ids));
  return {
    /** Covered runs before `position`, newest first; omits runs that nobody may read any more. */
    before: (series: string, position: number, limit: number): Promise<WatchedRun[]> =>
      watched()
        .where(and(...earlier(series, position), eq(drifts.covered, true), isInView()))
        .orderBy(desc(drifts.position))
        .limit(limit),
    /** A reference and its first re-evaluations, oldest first. */
    since: (referenceId: string, limit: number): Promise<WatchedRun[]> =>
      watched()
        .where(
          and(or(eq(drifts.runId, referenceId), eq(drifts.referenceId, referenceId)), isInView()),
        )
        .orderBy(asc(drifts.position))
        .limit(limit),
    flagged: (limit: number): Promise<NewsOfRun[]> => newest(eq(drifts.flagged, true), limit),
    /** Public runs that are the first on another dataset version, newest first. */
    datasetChanged: (limit: number): Promise<NewsOfRun[]> =>
      newest(eq(drifts.datasetChanged, true), limit),
    /** The newest flagged record of a series before `position`; null if there is none. */
    async lastFlagged(series: string, position: number): Promise<WatchedRun | null> {
      const found = await watched()
        .where(and(...earlier(series, position), eq(drifts.flagged, true), isInView()))
        .orderBy(desc(drifts.position))
        .limit(1);
      return found[0] ?? null;
    },
    /** A model's public finished runs with their records, oldest first. */
    ofModel: (slug: string): Promise<HistoryRun[]> =>
      finished(and(eq(runs.modelSlug, slug), eq(runs.visibility, "public"))),
    /** Finished runs on any version of a dataset with their records, oldest first: public ones and the reader's. */
    ofDataset: (suite: string, name: string, reader: Reader): Promise<HistoryRun[]> =>
      finished(
        and(
          eq(runs.suite, suite),
          eq(runs.datasetName, name),
          // Restricts to these versions first, so that their index finds the runs.
          sql`${runs.datasetVersion} IN (SELECT version FROM datasets WHERE suite = ${suite} AND name = ${name})`,
          reader.anyOwner
            ? undefined
            : or(eq(runs.visibility, "public"), inArray(runs.owner, ownersOf(reader))),
        ),
      ),
  };
}
