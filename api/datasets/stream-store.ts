import type { ObjectStore } from "../platform/object-store.ts";
import { LIVE, prepared } from "../platform/sql.ts";
import { countItems, datasetItem } from "../publication/store.ts";
import { CLAIM_MS, FORGET } from "./leftover-store.ts";

/** What is kept of a stream's last file. */
export interface StreamFile {
  seen: number[];
  /** Hash of its address, which may contain a secret, and its ETag; null if unknown. */
  source: { address: string; etag: string } | null;
}

/** The key contains the version, so that a version and its file are found together. */
const fileKey = (suite: string, name: string, version: string): string =>
  `streams/${suite}/${name}/${version}.json`;

/** A correction has the rows of the version that it corrects, and no file. */
const LAST_DRAWN = `
  SELECT version FROM datasets
  WHERE suite = ?1 AND name = ?2 AND stream IS NOT NULL AND corrects IS NULL
  ORDER BY created_at DESC LIMIT 1`;

/** A version of a stream whose rows are no longer needed. */
export interface OldVersion {
  version: string;
  samples: number;
  /** Number of its first samples, which are kept. */
  anchor: number;
}

/** Rows are shared by all names of a version and by runs on a deleted name, and active runs read them. */
const IS_UNUSED = `stream ->> 'rowsDeletedAt' IS NULL
    AND NOT EXISTS (SELECT 1 FROM datasets AS o
      WHERE o.suite = d.suite AND o.version = d.version AND o.name <> d.name)
    AND NOT EXISTS (SELECT 1 FROM runs AS r
      WHERE r.suite = d.suite AND r.dataset_version = d.version AND r.deleted_at IS NULL
        AND (r.status IN ${LIVE} OR r.dataset_name <> d.name))`;
const BEYOND = `
  SELECT version, samples, stream ->> 'anchor' AS anchor FROM datasets AS d
  WHERE suite = ?1 AND name = ?2 AND stream IS NOT NULL AND ${IS_UNUSED}
    AND created_at < (SELECT created_at FROM datasets WHERE suite = ?1 AND name = ?2
      AND stream IS NOT NULL ORDER BY created_at DESC LIMIT 1 OFFSET ?3)
  ORDER BY created_at LIMIT ?4`;

/** Fails while an upload of the version is in progress. */
const CLAIM = `
  INSERT INTO dataset_leftovers (suite, version, due_at, claimed_at)
  SELECT suite, version, ?4, ?4 FROM datasets AS d
  WHERE suite = ?1 AND name = ?2 AND version = ?3 AND ${IS_UNUSED}
  ON CONFLICT (suite, version) DO UPDATE SET claimed_at = excluded.claimed_at WHERE claimed_at <= ?5
  RETURNING version`;

const MARK = `
  UPDATE datasets SET stream = json_set(stream, '$.rowsDeletedAt', ?4), bytes = ?5
  WHERE suite = ?1 AND name = ?2 AND version = ?3`;

/** What streams store in addition to their datasets' versions, and how they change those. */
export function streamStore(d1: D1Database, objects: ObjectStore) {
  return {
    /** The file of the newest drawn version. */
    async lastFile(suite: string, name: string): Promise<StreamFile | null> {
      const last = await d1.prepare(LAST_DRAWN).bind(suite, name).first<string>("version");
      return last === null ? null : objects.get(fileKey(suite, name, last));
    },
    /** Call this before the version is inserted, so that whoever finds the version also finds its file. */
    putFile: (suite: string, name: string, version: string, file: StreamFile): Promise<void> =>
      objects.put(fileKey(suite, name, version), file),
    forgetFiles: (suite: string, name: string, versions: readonly string[]): Promise<void> =>
      objects.remove(versions.map((version) => fileKey(suite, name, version))),

    /** Versions of a stream beyond the `keep` newest whose rows still exist and are unused, oldest first. */
    async versionsBeyond(
      suite: string,
      name: string,
      keep: number,
      limit: number,
    ): Promise<OldVersion[]> {
      const bound = d1.prepare(BEYOND).bind(suite, name, keep - 1, limit);
      return (await bound.all<OldVersion>()).results;
    },

    /** Refuses uploads of a version until its rows are marked as deleted; false if the rows are in use. */
    async claimRows(suite: string, name: string, version: string, now: number): Promise<boolean> {
      const claim = d1.prepare(CLAIM).bind(suite, name, version, now, now - CLAIM_MS);
      return (await claim.all()).results.length > 0;
    },

    /** `bytes`: size of the remaining rows. */
    async markRowsDeleted(
      {
        suite,
        name,
        version,
        bytes,
      }: Record<"suite" | "name" | "version", string> & {
        bytes: number;
      },
      now: number,
    ): Promise<void> {
      await d1.batch([
        d1.prepare(MARK).bind(suite, name, version, new Date(now).toISOString(), bytes),
        d1.prepare(FORGET).bind(suite, version),
        prepared(d1, countItems(d1, "datasets", [datasetItem({ suite, name, version })])),
      ]);
    },
  };
}
