import { and, asc, desc, eq, isNull, ne, notExists, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { MOST_FOREIGN_HOSTS, MOST_HOSTS } from "#shared/contracts/boards/parity.ts";
import { insertBelow, type ListPage, olderThan, prepared } from "../platform/sql.ts";
import { countItems } from "../publication/store.ts";
import { runs } from "../runs/schema.ts";
import { isInView } from "../runs/visibility-store.ts";
import {
  type ParityRecord,
  type ParityRunRecord,
  parities,
  parityRuns,
  type Seen,
} from "./schema.ts";

/**
 * ?1: parity, ?2: run, ?3: label, ?4: account, ?5: now. The owner, each other account, and all other accounts together
 * have separate limits. Removed runs still count towards an account's limit.
 */
const ADD = `
  INSERT INTO parity_runs (parity, run_id, label, added_by, added_at)
  SELECT ?1, ?2, ?3, ?4, ?5 FROM parities AS its WHERE name = ?1
    AND (SELECT count(*) FROM parity_runs WHERE parity = ?1 AND added_by = ?4)
      < CASE WHEN owner = ?4 THEN ${MOST_HOSTS} ELSE ${MOST_FOREIGN_HOSTS} END
    AND (owner = ?4 OR ${MOST_HOSTS} > (SELECT count(*) FROM parity_runs
      WHERE parity = ?1 AND added_by <> its.owner AND removed_by IS NULL))
  ON CONFLICT DO NOTHING`;

/** ?1: the hosts of the parity that the previous statement created; none if it created none. */
const ADD_FIRST = `
  INSERT INTO parity_runs (parity, run_id, label, added_by, added_at)
  SELECT value ->> 'parity', value ->> 'runId', value ->> 'label', value ->> 'addedBy', value ->> 'addedAt'
  FROM json_each(?1) WHERE changes() > 0`;

type AddedRun = Omit<ParityRunRecord, "removedBy">;
type Row = Pick<ParityRunRecord, "parity" | "runId">;

const isRow = ({ parity, runId }: Row) =>
  and(eq(parityRuns.parity, parity), eq(parityRuns.runId, runId));

const isSeenBy = (owner: string) =>
  and(eq(parities.owner, owner), or(ne(runs.visibility, "private"), eq(runs.owner, owner)));

export type ParityStore = ReturnType<typeof parityStore>;

/** Parities in D1; each change counts for the next snapshot. */
export function parityStore(d1: D1Database) {
  const db = drizzle(d1);
  const counted = (name: string) => prepared(d1, countItems(d1, "parities", [name]));
  const added = ({ parity, runId, label, addedBy, addedAt }: AddedRun) =>
    d1.prepare(ADD).bind(parity, runId, label, addedBy, addedAt);
  const runsOf = (name: string): Promise<ParityRunRecord[]> =>
    db
      .select()
      .from(parityRuns)
      .where(eq(parityRuns.parity, name))
      .orderBy(asc(parityRuns.addedAt), asc(parityRuns.runId));
  return {
    /** Idempotent. False if another parity has its name, or its owner has `most`. */
    async create(parity: ParityRecord, hosts: readonly AddedRun[], most: number) {
      const limit = { counted: eq(parities.owner, parity.owner), most };
      const [made] = await d1.batch([
        prepared(d1, insertBelow(db, parities, parity, limit)),
        d1.prepare(ADD_FIRST).bind(JSON.stringify(hosts)),
        counted(parity.name),
      ]);
      if (made?.meta.changes === 1) return true;
      const there = new Map((await runsOf(parity.name)).map((run) => [run.runId, run.addedAt]));
      const isThere = ({ runId, addedAt }: AddedRun) => there.get(runId) === addedAt;
      return there.size === hosts.length && hosts.every(isThere);
    },

    /** A parity and its reference in one query, so that the reply time does not reveal whether a private one exists. */
    async head(name: string): Promise<{ parity: ParityRecord; reference: Seen | null } | null> {
      const { id, owner, visibility, deletedAt, hiddenReason } = runs;
      const [found] = await db
        .select({ parity: parities, reference: { id, owner, visibility, deletedAt, hiddenReason } })
        .from(parities)
        .leftJoin(runs, eq(runs.id, parities.referenceId))
        .where(eq(parities.name, name))
        .limit(1);
      return found ?? null;
    },

    async ofReference(run: string): Promise<string[]> {
      const rows = await db
        .select({ name: parities.name })
        .from(parityRuns)
        .innerJoin(parities, eq(parities.name, parityRuns.parity))
        .where(and(eq(parityRuns.runId, run), eq(parities.referenceId, run)));
      return rows.map((row) => row.name);
    },

    async get(name: string): Promise<{ parity: ParityRecord; runs: ParityRunRecord[] } | null> {
      const [parity] = await db.select().from(parities).where(eq(parities.name, name)).limit(1);
      return parity === undefined ? null : { parity, runs: await runsOf(name) };
    },

    /** The run's row, new or existing. Null if the parity, or the account within it, has reached its limit. */
    async add(run: AddedRun): Promise<ParityRunRecord | null> {
      await d1.batch([added(run), counted(run.parity)]);
      return (await runsOf(run.parity)).find(({ runId }) => runId === run.runId) ?? null;
    },

    /** Deletes the row of a run whose submission failed. */
    async takeBack(run: Row): Promise<void> {
      const isStored = db.select().from(runs).where(eq(runs.id, run.runId));
      await db.delete(parityRuns).where(and(isRow(run), notExists(isStored)));
    },

    /** Removes a run from view; the first account that does so is recorded. */
    async removeRun(run: Row, removedBy: string): Promise<void> {
      const isThere = and(isRow(run), isNull(parityRuns.removedBy));
      const removed = db.update(parityRuns).set({ removedBy }).where(isThere);
      await d1.batch([prepared(d1, removed), counted(run.parity)]);
    },

    /**
     * Parities with a public reference; or those of an account, except with a reference that is private to another
     * account.
     */
    list: ({ after, limit }: ListPage, ownedBy: string | null) =>
      db
        .select({
          name: parities.name,
          margin: parities.margin,
          createdAt: parities.createdAt,
          model: runs.model,
          suite: runs.suite,
          dataset: runs.datasetName,
          metric: runs.headline,
          hosts: sql<number>`(SELECT count(DISTINCT added_by || ' ' || label) FROM parity_runs
            WHERE parity = ${parities.name} AND removed_by IS NULL)`,
        })
        .from(parities)
        .innerJoin(runs, eq(runs.id, parities.referenceId))
        .where(
          and(
            isInView(),
            ownedBy === null ? eq(runs.visibility, "public") : isSeenBy(ownedBy),
            olderThan(parities.createdAt, parities.name, after),
          ),
        )
        .orderBy(desc(parities.createdAt), desc(parities.name))
        .limit(limit),

    async remove(name: string): Promise<void> {
      await d1.batch([
        prepared(d1, db.delete(parities).where(eq(parities.name, name))),
        prepared(d1, db.delete(parityRuns).where(eq(parityRuns.parity, name))),
        counted(name),
      ]);
    },
  };
}
