import { and, asc, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import { isOneOf, liveStatuses } from "../platform/sql.ts";
import { type NewSubmission, type RunRecord, runs, submissions } from "./schema.ts";
import { isInView } from "./visibility-store.ts";

/** Which earlier runs to use for an estimate; `simulated`: whether the model is simulated. */
export type PrecedentQuery = { simulated: boolean } & (
  | { suite: string; datasetName: string; modelSlug?: string; metered: true }
  | { suite: string; called: true }
  | { modelSlug: string; called: true }
);

/** The columns that rank a run on a board. Small, because memory holds ten thousand of them. */
export interface BoardCandidate {
  run: string;
  model: { slug: string };
  headline: Pick<Estimate, "value" | "coverage">;
  /** The headline's full estimate as JSON, because few of them are read. Null if there is none. */
  estimate: string | null;
  promptDeclared: boolean;
  /** Number of judgments by the fallback, in place of a judge that no longer exists. */
  replaced: number;
  /** Number of the model's finished runs, of which this is the newest. */
  finished: number;
}

/**
 * SQL: the newest run of each model with a known prompt, or else its newest run. Without large columns, which would
 * fill the memory for ten thousand runs.
 */
const newest = (which: string) => `
  SELECT runs.id, model_slug, prompt_hash IS NOT NULL, metrics ->> ('$."' || headline || '".value'),
    coalesce(metrics ->> ('$."' || headline || '".coverage'), 0), metrics -> ('$."' || headline || '"'),
    coalesce(metrics ->> '$.judgeReplacements.value', 0), finished
  FROM (
    SELECT id, row_number() OVER (
      PARTITION BY model_slug
      ORDER BY prompt_hash IS NULL, answered_at DESC, finished_at DESC) AS place,
      count(*) OVER (PARTITION BY model_slug) AS finished
    FROM runs WHERE ${which} AND status = 'finished'
      AND deleted_at IS NULL AND hidden_reason IS NULL
  ) AS listed JOIN runs ON runs.id = listed.id WHERE place = 1`;

const NEWEST_ON_BOARD = newest("board_id = ?1");
/** SQL: an account's runs of any visibility; variants of sweeps and canaries are on no board. */
const NEWEST_OF_OWNER = newest(
  "counted_on = ?1 AND owner = ?2 AND variant IS NULL AND canary IS NULL",
);

/** Enough for the newest run of every canary. */
const NEWEST_CANARIES = 50;

/** Prepared once, because every read of a run and every lane uses it. */
const runById = (db: DrizzleD1Database) =>
  db
    .select()
    .from(runs)
    .where(eq(runs.id, sql.placeholder("id")))
    .limit(1)
    .prepare();

export function runReads(d1: D1Database) {
  const db = drizzle(d1);
  const byId = runById(db);
  return {
    /** Bytes of stored objects of some accounts' runs. */
    async storedBytes(owners: readonly string[]): Promise<number> {
      const areKept = and(isNull(runs.deletedAt), isNull(runs.answersRemovedAt));
      const [row] = await db
        .select({ bytes: sql<number>`coalesce(sum(${runs.storedBytes}), 0)` })
        .from(runs)
        .where(and(isOneOf(runs.owner, owners), areKept));
      return row?.bytes ?? 0;
    },
    async get(id: string): Promise<RunRecord | null> {
      return (await byId.execute({ id }))[0] ?? null;
    },

    async submission(id: string): Promise<{ submission: NewSubmission; runs: RunRecord[] } | null> {
      const [found] = await db.select().from(submissions).where(eq(submissions.id, id)).limit(1);
      if (!found) return null;
      const ofIt = eq(runs.submissionId, id);
      const its = await db.select().from(runs).where(ofIt).orderBy(asc(runs.id));
      return { submission: found, runs: its };
    },

    /** The rescored runs of several submissions, oldest first. */
    rescoredOf: (ids: readonly string[]): Promise<RunRecord[]> => {
      const areOf = and(isOneOf(runs.submissionId, ids), isNotNull(runs.parentId));
      return db.select().from(runs).where(areOf).orderBy(asc(runs.id));
    },

    /** Several runs, in any order; missing ones are omitted. */
    some: (ids: readonly string[]): Promise<RunRecord[]> => {
      const isNamed = sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
      return db.select().from(runs).where(isNamed);
    },

    ...boardRuns(d1),

    /** Finished runs of a suite's canaries with certain judges, newest first. */
    canaries: (suite: string, scoringVersion: string): Promise<RunRecord[]> =>
      db
        .select()
        .from(runs)
        .where(
          and(
            eq(runs.suite, suite),
            eq(runs.scoringVersion, scoringVersion),
            isNotNull(runs.canary),
            eq(runs.status, "finished"),
            isInView(),
          ),
        )
        .orderBy(desc(runs.finishedAt))
        .limit(NEWEST_CANARIES),

    /** Readable public variants of a submission's sweep, newest first; null while some have not ended. */
    async endedSweep(submissionId: string): Promise<Pick<RunRecord, "id" | "finishedAt">[] | null> {
      const { id, finishedAt, status, visibility, hiddenReason } = runs;
      const swept = await db
        .select({ id, finishedAt, status, visibility, hiddenReason })
        .from(runs)
        .where(
          and(
            eq(runs.submissionId, submissionId),
            isNotNull(runs.variant),
            isNull(runs.parentId),
            isNull(runs.deletedAt),
          ),
        )
        .orderBy(desc(finishedAt), desc(id));
      const live = new Set<string>(liveStatuses);
      if (swept.some((run) => live.has(run.status))) return null;
      return swept
        .filter((run) => run.visibility === "public" && run.hiddenReason === null)
        .filter((run) => run.status !== "cancelled")
        .map((run) => ({ id: run.id, finishedAt: run.finishedAt }));
    },
  };
}

/** Columns of runs for board entries, without metrics. */
const shownOnBoard = {
  id: runs.id,
  modelSlug: runs.modelSlug,
  model: runs.model,
  headline: runs.headline,
  people: runs.people,
  endpoint: runs.endpoint,
  hybrid: runs.hybrid,
  owner: runs.owner,
  runnerKeys: runs.runnerKeys,
  scoringVersion: runs.scoringVersion,
  codeRevision: runs.codeRevision,
  concurrency: runs.concurrency,
  parentId: runs.parentId,
  startedAt: runs.startedAt,
  answeredAt: runs.answeredAt,
  finishedAt: runs.finishedAt,
  retries: runs.retries,
};

type CandidateRow = [
  run: string,
  slug: string,
  declared: number,
  value: number | null,
  coverage: number,
  estimate: string | null,
  replaced: number,
  finished: number,
];

/**
 * Reads rows as arrays: ten thousand row objects that live as long as the candidates would cost garbage collection
 * time.
 */
const candidatesOf = (rows: CandidateRow[]): BoardCandidate[] =>
  rows.map(([run, slug, declared, value, coverage, estimate, replaced, finished]) => ({
    run,
    model: { slug },
    headline: { value, coverage },
    estimate,
    promptDeclared: declared === 1,
    replaced,
    finished,
  }));

function boardRuns(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** The newest finished run of each model listed on a board. */
    newestOnBoard: async (boardId: string): Promise<BoardCandidate[]> =>
      candidatesOf(await d1.prepare(NEWEST_ON_BOARD).bind(boardId).raw<CandidateRow>()),

    /** The newest finished run of each model of an account in a board's configuration, listed there or not. */
    newestOfOwner: async (boardId: string, owner: string): Promise<BoardCandidate[]> =>
      candidatesOf(await d1.prepare(NEWEST_OF_OWNER).bind(boardId, owner).raw<CandidateRow>()),

    /**
     * The columns of runs that board entries show, in any order, with only the named metrics: reading all columns of a
     * large board's runs takes seconds.
     */
    listedOnBoard: (ids: readonly string[], metrics: readonly string[]) => {
      // Listing the keys of each run's metrics takes SQLite nearly twice as long; a missing metric is null.
      const its = sql`SELECT json_group_object(value, ${runs.metrics} -> value)
        FROM json_each(${JSON.stringify(metrics)})`;
      const shown = sql<NonNullable<RunRecord["metrics"]>>`(${its})`.mapWith(runs.metrics);
      return db
        .select({ ...shownOnBoard, metrics: shown })
        .from(runs)
        .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
    },

    /** Listed runs that finished after a time. */
    finishedOnBoard: (boardId: string, after: number): Promise<RunRecord[]> =>
      db
        .select()
        .from(runs)
        .where(
          and(
            eq(runs.boardId, boardId),
            eq(runs.status, "finished"),
            gt(runs.finishedAt, after),
            isInView(),
          ),
        )
        .orderBy(desc(runs.answeredAt), desc(runs.finishedAt)),
  };
}

export function precedents(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** The newest matching finished run that is public or the owner's, and that got answers. */
    async precedent(query: PrecedentQuery, owner: string): Promise<RunRecord | null> {
      const found = await db
        .select()
        .from(runs)
        .where(
          and(eq(runs.status, "finished"), visibleTo(owner), ...isSound(query), ...kindOf(query)),
        )
        // Index entries of equal value are ordered by rowid, so this needs no sort.
        .orderBy(sql`${runs}.rowid DESC`)
        .limit(1);
      return found[0] ?? null;
    },
  };
}

const visibleTo = (owner: string): SQL | undefined =>
  and(isInView(), or(eq(runs.visibility, "public"), eq(runs.owner, owner)));

/**
 * Excludes canaries, runs that mostly failed, and simulated models: they say nothing about a real model's tokens and
 * times.
 */
const isSound = ({ simulated }: PrecedentQuery): SQL[] => [
  isNull(runs.canary),
  sql`${runs.done} - ${runs.failed} >= ${coverageFloor} * ${runs.total}`,
  sql`coalesce(${runs.model} ->> 'simulated', 0) = ${Number(simulated)}`,
];

function kindOf(query: PrecedentQuery): SQL[] {
  const slug = "modelSlug" in query ? query.modelSlug : undefined;
  const model = slug === undefined ? [] : [eq(runs.modelSlug, slug)];
  const suite = "suite" in query ? [eq(runs.suite, query.suite)] : [];
  if ("called" in query) return [...suite, ...model, isNotNull(runs.endpoint)];
  const metered = [gt(runs.outputTokens, 0), eq(runs.unmetered, 0)];
  return [...suite, ...model, eq(runs.datasetName, query.datasetName), ...metered];
}
