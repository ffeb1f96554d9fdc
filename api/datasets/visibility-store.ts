import type { DatasetVisibility } from "#shared/contracts/datasets/dataset.ts";
import { entryStatements } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { LIVE, prepared } from "../platform/sql.ts";
import { COUNT_RUNS, countItems, datasetItem, SITE_CHANGED } from "../publication/store.ts";
import {
  ITS_DATASET,
  NARROWED,
  OUTDATE_BOARDS,
  type WithdrawnRun,
} from "../runs/visibility-store.ts";

export interface NamedVersions {
  suite: string;
  name: string;
  versions: readonly string[];
}

export interface RunsOnDataset {
  total: number;
  public: number;
  private: number;
  /** Runs of other accounts: public ones, and all that are not private. */
  foreignPublic: number;
  foreign: number;
  /** Number of other accounts with runs on its boards, and number of these runs. */
  users: number;
  used: number;
  canaries: number;
}

/** ?1: suite, name and versions as JSON. */
const IS_IT = (name: string, version: string) => `suite = ?1 ->> '$.suite'
  AND ${name} = ?1 ->> '$.name' AND ${version} IN (SELECT value FROM json_each(?1, '$.versions'))`;
const RUNS = `SELECT id FROM runs WHERE ${IS_IT("dataset_name", "dataset_version")}`;
const OWNER = `(SELECT d.owner FROM datasets d WHERE d.suite = runs.suite
  AND d.name = runs.dataset_name AND d.version = runs.dataset_version)`;

/**
 * SQL: a run of another account on a board. ?2: accounts that count as the owner's. A run being retried was on its
 * board and will be again.
 */
const IS_USED = `owner NOT IN (SELECT value FROM json_each(?2)) AND board_id IS NOT NULL AND (
    status = 'finished' OR status IN ${LIVE} AND retries <> '[]')
  AND visibility = 'public' AND hidden_reason IS NULL`;
const COUNT = `
  SELECT count(*) AS total, coalesce(sum(visibility = 'public'), 0) AS public,
    coalesce(sum(visibility = 'private'), 0) AS private,
    coalesce(sum(owner <> ${OWNER} AND visibility = 'public'), 0) AS foreignPublic,
    coalesce(sum(owner <> ${OWNER} AND visibility <> 'private'), 0) AS "foreign", count(canary) AS canaries,
    count(DISTINCT iif(${IS_USED}, owner, NULL)) AS users, coalesce(sum(${IS_USED}), 0) AS used
  FROM runs WHERE id IN (${RUNS}) AND deleted_at IS NULL`;

const FAMILY = `WITH family (id) AS (${RUNS})`;

/** Runs that would be more visible than their dataset. ?2: its new visibility. */
const TOO_OPEN = `WITH family (id) AS (
  ${RUNS} AND (?2 = 'private' OR ?2 = 'unlisted' AND visibility = 'public'))`;

const HIDE_SAMPLES = `
  UPDATE runs SET samples_owner = CASE WHEN ?2 = 'private' THEN ${OWNER} END WHERE id IN (${RUNS})`;
const HIDE_ON_BOARDS = `
  UPDATE boards SET hidden_samples = (?2 <> 'public') WHERE ${IS_IT("dataset_name", "dataset_version")}`;
const COUNT_BOARDS = `
  INSERT INTO snapshot_changes (kind, id)
  SELECT 'boards', id FROM boards WHERE ${IS_IT("dataset_name", "dataset_version")}
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;
const CHANGE = `UPDATE datasets SET visibility = ?2 WHERE ${IS_IT("name", "version")}`;

const IS_WIDER = (seen: string) =>
  `(?2 = 'private' AND ${seen} <> 'private' OR ?2 = 'unlisted' AND ${seen} = 'public')`;
const NARROWER = (column: string) => `CASE WHEN ${IS_WIDER(`${column} ->> '$.visibility'`)}
  THEN json_set(${column}, '$.visibility', ?2) ELSE ${column} END`;
/** After the change: schedules on these versions, or on a name none of whose versions is more visible. */
const NARROW_SCHEDULES = `
  UPDATE schedules SET request = ${NARROWER("request")}, stream = ${NARROWER("stream")}
  WHERE ?2 <> 'public' AND request ->> '$.suite' = ?1 ->> '$.suite' AND (
    request ->> '$.dataset' = ?1 ->> '$.name' AND NOT EXISTS (SELECT 1 FROM datasets
      WHERE suite = ?1 ->> '$.suite' AND name = ?1 ->> '$.name' AND ${IS_WIDER("visibility")})
    OR EXISTS (SELECT 1 FROM json_each(?1, '$.versions') WHERE length(request ->> '$.dataset') > length(?1 ->> '$.name')
      AND substr((?1 ->> '$.name') || '@' || value, 1, length(request ->> '$.dataset')) = request ->> '$.dataset'))`;

export function datasetVisibility(d1: D1Database) {
  return {
    /** `owners`: the dataset's owner and the accounts that share quotas with it. */
    async runsOn(its: NamedVersions, owners: readonly string[]): Promise<RunsOnDataset> {
      const counted = await d1
        .prepare(COUNT)
        .bind(JSON.stringify(its), JSON.stringify(owners))
        .first<RunsOnDataset>();
      if (counted === null) throw new Error("a count has one row");
      return counted;
    },

    /**
     * Changes the visibility of versions and of samples of runs on them. Runs that would be more visible become as
     * visible as the dataset; returns these, with the boards that count them. `isListed`: whether the dataset is in
     * public lists, before or after.
     */
    async changeVisibility(
      { isListed, ...its }: NamedVersions & { isListed: boolean },
      to: DatasetVisibility,
      now: number,
      entry?: AuditRecord,
    ): Promise<WithdrawnRun[]> {
      const named = JSON.stringify(its);
      const bound = (statement: string, ...more: unknown[]) =>
        d1.prepare(statement).bind(named, ...more);
      const items = its.versions.map((version) => datasetItem({ ...its, version }));
      const { forgetDrift, change } = NARROWED(TOO_OPEN);
      const results = await d1.batch<WithdrawnRun>([
        bound(COUNT_RUNS(RUNS)),
        bound(OUTDATE_BOARDS(FAMILY), to === "public" ? null : now),
        bound(forgetDrift, to),
        bound(change, to, to === "public" ? null : `${ITS_DATASET}${to}`),
        ...entryStatements(d1, entry),
        // Marks the site as changed, so that the next publication includes this even after a crash.
        ...(isListed ? [d1.prepare(SITE_CHANGED)] : []),
        bound(HIDE_SAMPLES, to),
        bound(COUNT_RUNS(RUNS)),
        bound(HIDE_ON_BOARDS, to),
        bound(COUNT_BOARDS),
        bound(CHANGE, to),
        bound(NARROW_SCHEDULES, to),
        prepared(d1, countItems(d1, "datasets", items)),
      ]);
      return results[3]?.results ?? [];
    },
  };
}
