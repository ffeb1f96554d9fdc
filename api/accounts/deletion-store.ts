import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { LIVE } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { WithdrawnRun } from "../runs/visibility-store.ts";
import {
  CREDENTIALS,
  countsOf,
  DATASET_MENTIONS,
  KEEP_DATASET,
  LEFT,
  NAMES,
  RENAME_FOREIGN,
  RUN_MENTIONS,
  WITHDRAW,
} from "./deletion-statements.ts";
import { type DeletionRecord, deletions } from "./schema.ts";

/** How long one message may work on a deletion. */
const HELD_MS = 120_000;

/** An account, with the names that replace its own in other accounts' data. */
export interface DeletedAccount {
  owner: string;
  alias: string;
}

export type OwnedDataset = Record<"suite" | "name" | "version" | "visibility", string>;

export type DeletionStore = ReturnType<typeof deletionStore>;

/** Deletes accounts from D1, in limited parts that can be repeated. */
export function deletionStore(d1: D1Database) {
  const db = drizzle(d1);
  const all = async <T>(text: string, ...values: (string | number | null)[]) =>
    (
      await d1
        .prepare(text)
        .bind(...values)
        .all<T>()
    ).results;
  return {
    /** Starts a deletion, or finds the one that was started. From then on nobody can take the name. */
    async begin(hash: string, owner: string, identity: string | null, now: number): Promise<void> {
      const row = { hash, owner, identity, requestedAt: now };
      const set = { owner, requestedAt: now, finishedAt: null, ...(identity && { identity }) };
      const again = { target: deletions.hash, set };
      await db.insert(deletions).values(row).onConflictDoUpdate(again);
    },
    /** Whether one of these hashes belongs to a deleted name. */
    async isKnown(hashes: readonly string[]): Promise<boolean> {
      const among = sql`hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`;
      return (await db.select({ hash: deletions.hash }).from(deletions).where(among)).length > 0;
    },
    /** Deletes usage of earlier days; bans stay. */
    async forgetUsage(day: string): Promise<void> {
      await all(
        `UPDATE deletions SET used = NULL, identity = iif(banned IS NULL, NULL, identity)
          WHERE identity IS NOT NULL AND owner IS NULL
            AND (used ->> '$.day' < ?1 OR used IS NULL AND banned IS NULL)`,
        day,
      );
    },
    open: (limit: number): Promise<DeletionRecord[]> =>
      db
        .select()
        .from(deletions)
        .where(isNotNull(deletions.owner))
        .orderBy(asc(deletions.requestedAt))
        .limit(limit),
    newest: (limit: number): Promise<DeletionRecord[]> =>
      db.select().from(deletions).orderBy(desc(deletions.requestedAt)).limit(limit),
    /** Takes a deletion for some time; null if another message holds it or it is done. */
    async take(hash: string, now: number): Promise<DeletionRecord | null> {
      const isFree = and(
        eq(deletions.hash, hash),
        isNotNull(deletions.owner),
        lte(deletions.heldUntil, now),
      );
      const taken = db
        .update(deletions)
        .set({ heldUntil: now + HELD_MS })
        .where(isFree);
      return (await taken.returning())[0] ?? null;
    },
    async release(hash: string): Promise<void> {
      await db.update(deletions).set({ heldUntil: 0 }).where(eq(deletions.hash, hash));
    },
    async finish(hash: string, now: number): Promise<void> {
      await db
        .update(deletions)
        .set({ owner: null, finishedAt: now })
        .where(eq(deletions.hash, hash));
    },

    async counts(owner: string): Promise<Record<string, number>> {
      const [row] = await all<Record<string, number>>(countsOf, owner);
      return row ?? {};
    },
    /** Organisations where the person is the only admin. */
    async onlyAdminOf(person: string): Promise<string[]> {
      const found = await all<{ owner: string }>(
        `SELECT owner FROM members m WHERE person = ?1 AND role = 'admin' AND NOT EXISTS (
          SELECT 1 FROM members o WHERE o.owner = m.owner AND o.role = 'admin' AND o.person <> ?1)`,
        person,
      );
      return found.map(({ owner }) => owner);
    },
    /** Removes the person from all organisations, or from none if one would be left without an admin. */
    async leaveOrganisations(person: string): Promise<void> {
      await all(
        `DELETE FROM members WHERE person = ?1 AND NOT EXISTS (
          SELECT 1 FROM members m WHERE m.person = ?1 AND m.role = 'admin' AND NOT EXISTS (
            SELECT 1 FROM members o WHERE o.owner = m.owner AND o.role = 'admin' AND o.person <> ?1))`,
        person,
      );
    },

    /** Deletes all credentials of the account, and data that nobody else reads. */
    async dropCredentials({ owner, alias }: DeletedAccount, now: number): Promise<void> {
      await d1.batch(CREDENTIALS.map((text) => boundBy(d1, text, [owner, alias, now])));
    },
    /** Active runs of the account: they are cancelled one by one, with their batches. */
    activeRuns: (owner: string, limit: number): Promise<{ id: string }[]> =>
      all(
        `SELECT id FROM runs WHERE owner = ?1 AND status IN ${LIVE} AND deleted_at IS NULL LIMIT ?2`,
        owner,
        limit,
      ),
    ownRuns: (owner: string, isDeleted: boolean, limit: number): Promise<{ id: string }[]> =>
      all(
        `SELECT id FROM runs WHERE owner = ?1 AND (deleted_at IS NOT NULL) = ?2 LIMIT ?3`,
        owner,
        isDeleted ? 1 : 0,
        limit,
      ),
    /** Other accounts' runs with a planned test against one of these runs. */
    async testsAgainst(owner: string, ids: readonly string[]): Promise<string[]> {
      const found = await all<{ id: string }>(
        `SELECT id FROM runs WHERE options ->> '$.plannedTest.against' IS NOT NULL
          AND options ->> '$.plannedTest.against' IN (SELECT value FROM json_each(?1)) AND owner <> ?2`,
        JSON.stringify(ids),
        owner,
      );
      return found.map(({ id }) => id);
    },
    /**
     * Marks runs as deleted and removes them from the audit log, parities, plans, drift and bridges. All or nothing.
     * `aliases`: the name that replaces each run.
     */
    async withdraw(
      { owner }: DeletedAccount,
      ids: readonly string[],
      aliases: Readonly<Record<string, string>>,
      now: number,
    ): Promise<WithdrawnRun[]> {
      const given = [JSON.stringify(ids), now, JSON.stringify(aliases), owner];
      const [withdrawn] = await d1.batch<WithdrawnRun>(
        [...WITHDRAW, ...RUN_MENTIONS].map((text) => boundBy(d1, text, given)),
      );
      return withdrawn?.results ?? [];
    },

    /** Any remaining dataset version of the account. */
    async nextDataset(owner: string): Promise<OwnedDataset | null> {
      const [found] = await all<OwnedDataset>(
        "SELECT suite, name, version, visibility FROM datasets WHERE owner = ?1 LIMIT 1",
        owner,
      );
      return found ?? null;
    },
    foreignRuns: (
      { suite, name, version }: OwnedDataset,
      owner: string,
      limit: number,
    ): Promise<Pick<RunRecord, "id" | "status">[]> =>
      all(
        `SELECT id, status FROM runs WHERE suite = ?1 AND dataset_version = ?2 AND dataset_name = ?3
          AND owner <> ?4 LIMIT ?5`,
        suite,
        version,
        name,
        owner,
        limit,
      ),
    /** Keeps a version under a name that does not belong to the account. */
    async keepDataset(dataset: OwnedDataset, name: string, names: DeletedAccount): Promise<void> {
      const { suite, name: former, version } = dataset;
      await all(KEEP_DATASET, suite, former, version, name, names.alias, names.owner);
    },
    /**
     * From then on the run's dataset has no name; `reader`: the only account that may read its samples, null:
     * unchanged.
     */
    async renameDatasetOf(run: string, name: string, reader: string | null): Promise<void> {
      await d1.batch([
        ...RENAME_FOREIGN.map((text) => boundBy(d1, text, [run, name, reader])),
        d1.prepare(COUNT_RUNS("?1")).bind(run),
      ]);
    },
    /** Renames the dataset on boards and in everything else of other accounts. */
    async renameDataset(dataset: OwnedDataset, name: string, now: number): Promise<void> {
      const given = [dataset.suite, dataset.name, dataset.version, name, now];
      await d1.batch(DATASET_MENTIONS.map((text) => boundBy(d1, text, given)));
    },

    /** Removes remaining names of models and of the account from boards, counts and the audit log. */
    async dropNames({ owner, alias }: DeletedAccount, now: number): Promise<void> {
      await d1.batch(NAMES.map((text) => boundBy(d1, text, [owner, alias, now])));
    },
    async isLeft(owner: string): Promise<boolean> {
      const [row] = await all<{ found: number }>(LEFT, owner);
      return row?.found !== 0;
    },
  };
}

/** Binds as many of the values as the statement has parameters. */
function boundBy(d1: D1Database, text: string, values: readonly (string | number | null)[]) {
  const used = values.findLastIndex((_, i) => text.includes(`?${i + 1}`)) + 1;
  return d1.prepare(text).bind(...values.slice(0, used));
}
