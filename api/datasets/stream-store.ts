import type { ObjectStore } from "../platform/object-store.ts";
import { LIVE, prepared } from "../platform/sql.ts";
import { countItems, datasetItem } from "../publication/store.ts";

/** What is kept of the last file of a stream. */
export interface StreamFile {
  /** Keys of its rows. */
  seen: number[];
  /** Hash of its address, which may have a secret, and its ETag; null: not known. */
  source: { address: string; etag: string } | null;
}

const fileKey = (suite: string, name: string): string => `streams/${suite}/${name}.json`;

/** A version of a stream whose rows are no longer kept. */
export interface OldVersion {
  version: string;
  samples: number;
  /** Its first samples, which are kept. */
  anchor: number;
}

/** Rows of a version belong to all of its names, and active runs read them. */
const BEYOND = `
  SELECT version, samples, stream ->> 'anchor' AS anchor FROM datasets AS d
  WHERE suite = ?1 AND name = ?2 AND stream IS NOT NULL AND stream ->> 'rowsDeletedAt' IS NULL
    AND created_at < (SELECT created_at FROM datasets WHERE suite = ?1 AND name = ?2
      AND stream IS NOT NULL ORDER BY created_at DESC LIMIT 1 OFFSET ?3)
    AND NOT EXISTS (SELECT 1 FROM datasets AS o
      WHERE o.suite = d.suite AND o.version = d.version AND o.name <> d.name)
    AND NOT EXISTS (SELECT 1 FROM runs AS r
      WHERE r.suite = d.suite AND r.dataset_version = d.version AND r.status IN ${LIVE})
  ORDER BY created_at LIMIT ?4`;

const MARK = `
  UPDATE datasets SET stream = json_set(stream, '$.rowsDeletedAt', ?4), bytes = ?5
  WHERE suite = ?1 AND name = ?2 AND version = ?3`;

/** What streams keep besides the versions of their datasets, and change in these. */
export function streamStore(d1: D1Database, objects: ObjectStore) {
  return {
    lastFile: (suite: string, name: string): Promise<StreamFile | null> =>
      objects.get(fileKey(suite, name)),
    putFile: (suite: string, name: string, file: StreamFile): Promise<void> =>
      objects.put(fileKey(suite, name), file),
    forgetFile: (suite: string, name: string): Promise<void> =>
      objects.remove([fileKey(suite, name)]),

    /** Versions of a stream after the `keep` newest whose rows are still there and in no use, oldest first. */
    async versionsBeyond(
      suite: string,
      name: string,
      keep: number,
      limit: number,
    ): Promise<OldVersion[]> {
      const bound = d1.prepare(BEYOND).bind(suite, name, keep - 1, limit);
      return (await bound.all<OldVersion>()).results;
    },

    /** `bytes`: size of the rows that are left. */
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
        prepared(d1, countItems(d1, "datasets", [datasetItem({ suite, name, version })])),
      ]);
    },
  };
}
