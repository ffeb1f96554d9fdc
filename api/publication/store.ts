import { asc, eq, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SnapshotKind } from "#shared/contracts/boards/snapshot.ts";
import type { RunStatus } from "#shared/contracts/run.ts";
import { prepared } from "../platform/sql.ts";
import {
  publications,
  retiredObjects,
  type SnapshotChange,
  type SnapshotItem,
  snapshotChanges,
  snapshotItems,
} from "./schema.ts";

const target = "site";

const never = {
  changes: 0,
  published: 0,
  hooked: 0,
  hookCalledAt: 0,
  hash: null,
  root: null,
  format: null,
  writer: null,
};

const oneMore = {
  target: publications.target,
  set: { changes: sql`${publications.changes} + 1` },
};

/**
 * Counts a change if a public run without a board changes its status from one of `from`. Must be in the batch of the
 * change, because nothing else would find such a run. Boards are ranked again until they list their runs.
 */
export function countChange(d1: D1Database, runId: string, from: readonly RunStatus[]) {
  return drizzle(d1)
    .insert(publications)
    .select(
      sql`SELECT ${target}, 1, 0, 0, 0, NULL, NULL, NULL, NULL FROM runs
        WHERE id = ${runId} AND board_id IS NULL AND visibility = 'public'
          AND status IN (SELECT value FROM json_each(${JSON.stringify(from)}))`,
    )
    .onConflictDoUpdate(oneMore);
}

/** The next publication has something to do. */
export const SITE_CHANGED = `
  INSERT INTO publications (target, changes) VALUES ('site', 1)
  ON CONFLICT (target) DO UPDATE SET changes = changes + 1`;

/**
 * Counts changed runs for the next snapshot, in the transaction that changes them. Includes their sweeps and parities,
 * their private datasets, which public runs show, and for canaries the boards with the same judges. `ids`: a query with
 * one column; unchanged runs do no harm.
 */
export const COUNT_RUNS = (ids: string): string => `
  INSERT INTO snapshot_changes (kind, id)
  SELECT 'runs', id FROM runs WHERE visibility = 'public' AND id IN (${ids})
  UNION SELECT 'sweeps', submission_id FROM runs
    WHERE visibility = 'public' AND variant IS NOT NULL AND id IN (${ids})
  UNION SELECT 'parities', parity FROM parity_runs WHERE run_id IN (${ids})
  UNION SELECT 'datasets', json_array(suite, dataset_name, dataset_version) FROM runs
    WHERE samples_owner IS NOT NULL AND visibility = 'public' AND id IN (${ids})
  UNION SELECT 'boards', boards.id FROM runs, boards
    WHERE runs.canary IS NOT NULL AND boards.suite = runs.suite
      AND boards.scoring_version = runs.scoring_version AND runs.id IN (${ids})
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;

/** Counts changed items of another kind: boards, or datasets by `datasetItem`. */
export const countItems = (d1: D1Database, kind: SnapshotKind, ids: readonly string[]) =>
  drizzle(d1)
    .insert(snapshotChanges)
    .select(sql`SELECT ${kind}, value, 1 FROM json_each(${JSON.stringify(ids)}) WHERE true`)
    .onConflictDoUpdate({
      target: [snapshotChanges.kind, snapshotChanges.id],
      set: { changes: sql`${snapshotChanges.changes} + 1` },
    });

const COUNT_ALL = `
  INSERT INTO snapshot_changes (kind, id)
  SELECT 'runs', id FROM runs WHERE visibility = 'public' AND status IN ('finished', 'failed')
    AND hidden_reason IS NULL AND deleted_at IS NULL
  UNION SELECT 'sweeps', submission_id FROM runs
    WHERE visibility = 'public' AND variant IS NOT NULL AND parent_id IS NULL
  UNION SELECT 'boards', id FROM boards WHERE entries <> '[]'
  UNION SELECT 'datasets', json_array(suite, name, version) FROM datasets
    WHERE visibility <> 'unlisted'
  UNION SELECT kind, id FROM snapshot_items WHERE true
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;

/** D1 limits a compound SELECT to five terms. */
const COUNT_PARITIES = `
  INSERT INTO snapshot_changes (kind, id) SELECT 'parities', name FROM parities WHERE true
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;

/**
 * ?1: writer, ?2: last writer when this one started, ?3: now, ?4: keys that it refers to, ?5 and ?6: root and hash
 * (null: unchanged), ?7: published changes. Fails if a referenced object is due for deletion.
 */
const COMMIT = `
  UPDATE publications SET writer = ?1, root = coalesce(?5, root), hash = coalesce(?6, hash),
    published = max(published, ?7)
  WHERE target = 'site' AND (writer IS ?2 OR writer = ?1) AND NOT EXISTS (
    SELECT 1 FROM retired_objects
    WHERE delete_at <= ?3 AND key IN (SELECT value FROM json_each(?4)))
  RETURNING target`;

/** ?1: writer. Later statements take effect only if the commit did. */
const IS_WRITER = "EXISTS (SELECT 1 FROM publications WHERE target = 'site' AND writer = ?1)";

const FORGET_CHANGES = `
  DELETE FROM snapshot_changes WHERE (kind, id, changes) IN (
    SELECT value ->> 'kind', value ->> 'id', value ->> 'changes' FROM json_each(?2)
  ) AND ${IS_WRITER}`;

const SAVE_LISTED = `
  INSERT INTO snapshot_items (kind, page, id, entry, key)
  SELECT value ->> 'kind', value ->> 'page', value ->> 'id', value ->> 'entry', value ->> 'key'
  FROM json_each(?2) WHERE ${IS_WRITER}
  ON CONFLICT (kind, page, id) DO UPDATE SET entry = excluded.entry, key = excluded.key`;

const DROP_UNLISTED = `
  DELETE FROM snapshot_items WHERE (kind, page, id) IN (
    SELECT value ->> 'kind', value ->> 'page', value ->> 'id' FROM json_each(?2)
  ) AND ${IS_WRITER}`;

const RETIRE = `
  INSERT INTO retired_objects (key, delete_at) SELECT value, ?3 FROM json_each(?2)
  WHERE ${IS_WRITER} ON CONFLICT DO NOTHING`;

const ADOPT = `
  DELETE FROM retired_objects WHERE key IN (SELECT value FROM json_each(?2)) AND ${IS_WRITER}`;

/** ?2: folders of withdrawn items. */
const HASTEN = `
  UPDATE OR REPLACE retired_objects SET delete_at = 0 WHERE EXISTS (SELECT 1 FROM json_each(?2)
    WHERE substr(retired_objects.key, 1, length(value)) = value) AND ${IS_WRITER}`;

interface SnapshotCommit {
  /** Published changes as read: an item that changed since is published next time. */
  changes: readonly SnapshotChange[];
  /** Listed items, and items that are no longer listed. */
  listed: readonly SnapshotItem[];
  unlisted: readonly Pick<SnapshotItem, "kind" | "page" | "id">[];
  /** Keys of newly referenced objects, and of unreferenced ones, to be deleted at `deleteAt`. */
  named: readonly string[];
  retired: readonly string[];
  deleteAt: number;
  /** Folders of withdrawn items: unreferenced objects there are deleted at once. */
  withdrawn: readonly string[];
  /** Null: the root is unchanged. */
  root: { hash: string; text: string } | null;
  /** Number of result changes included in this snapshot. */
  published: number;
}

export type PublicationStore = ReturnType<typeof publicationStore>;

/** Counts of all, published and built result changes, and what is published. */
export function publicationStore(d1: D1Database) {
  const db = drizzle(d1);
  const isSite = eq(publications.target, target);
  return {
    async markChanged(): Promise<void> {
      await db.insert(publications).values({ target, changes: 1 }).onConflictDoUpdate(oneMore);
    },
    async markHookCalled(hooked: number, hookCalledAt: number): Promise<void> {
      await db.update(publications).set({ hooked, hookCalledAt }).where(isSite);
    },
    async state(): Promise<Omit<typeof publications.$inferSelect, "target">> {
      return (await db.select().from(publications).where(isSite).limit(1))[0] ?? never;
    },
    /** Marks everything as changed, for publication in a format; if `isLost`, also forgets what was published. */
    async countAll(format: string, isLost: boolean): Promise<void> {
      const forgotten = isLost ? { hash: null, root: null } : {};
      const changed = { format, changes: sql`${publications.changes} + 1`, ...forgotten };
      await d1.batch([
        d1.prepare(COUNT_ALL),
        d1.prepare(COUNT_PARITIES),
        ...(isLost ? [d1.prepare("DELETE FROM snapshot_items")] : []),
        prepared(d1, db.update(publications).set(changed).where(isSite)),
      ]);
    },
    /** Changes since the last publication; oldest runs first. */
    changed: (limit: number): Promise<SnapshotChange[]> =>
      db
        .select()
        .from(snapshotChanges)
        .orderBy(asc(snapshotChanges.kind), asc(snapshotChanges.id))
        .limit(limit),
    /** Every page that lists something. */
    listedPages: (): Promise<Pick<SnapshotItem, "kind" | "page">[]> =>
      db.selectDistinct({ kind: snapshotItems.kind, page: snapshotItems.page }).from(snapshotItems),
    /** All items of some pages, by id. */
    pageItems: (pages: readonly Pick<SnapshotItem, "kind" | "page">[]): Promise<SnapshotItem[]> =>
      db
        .select()
        .from(snapshotItems)
        .where(sql`(kind, page) IN (
          SELECT value ->> 'kind', value ->> 'page' FROM json_each(${JSON.stringify(pages)}))`)
        .orderBy(asc(snapshotItems.id)),
    /**
     * All or nothing, by `writer`. False if another writer committed since `former`, or a referenced object is being
     * deleted.
     */
    async commit(
      saved: SnapshotCommit,
      writer: string,
      { former, now }: { former: string | null; now: number },
    ): Promise<boolean> {
      const { root, published, deleteAt } = saved;
      const named = JSON.stringify(saved.named);
      const then = (statement: string, given: unknown, ...more: number[]) =>
        d1.prepare(statement).bind(writer, JSON.stringify(given), ...more);
      const [committed] = await d1.batch([
        d1
          .prepare(COMMIT)
          .bind(writer, former, now, named, root?.text ?? null, root?.hash ?? null, published),
        then(FORGET_CHANGES, saved.changes),
        then(SAVE_LISTED, saved.listed),
        then(DROP_UNLISTED, saved.unlisted),
        then(RETIRE, saved.retired, deleteAt),
        then(ADOPT, saved.named),
        then(HASTEN, saved.withdrawn),
      ]);
      return (committed?.results.length ?? 0) > 0;
    },
    /** Keys of objects that are due for deletion. */
    async retired(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .select({ key: retiredObjects.key })
        .from(retiredObjects)
        .where(lte(retiredObjects.deleteAt, now))
        .limit(limit);
      return rows.map(({ key }) => key);
    },
    /** Records deleted objects. A concurrent publisher must start again, because it may refer to them. */
    async forgetRetired(keys: readonly string[], writer: string): Promise<void> {
      const named = sql`key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
      await db.batch([
        db.delete(retiredObjects).where(named),
        db.update(publications).set({ writer }).where(isSite),
      ]);
    },
  };
}

/** Id of a dataset version among items. Other items use their own ids. */
export const datasetItem = ({
  suite,
  name,
  version,
}: Record<"suite" | "name" | "version", string>): string => JSON.stringify([suite, name, version]);
