import { and, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { insertBelow, type ListPage, olderThan } from "../platform/sql.ts";
import { type RunRecord, runs } from "../runs/schema.ts";
import {
  drifts,
  type ScheduleEventRecord,
  type ScheduleRecord,
  scheduleEvents,
  schedules,
} from "./schema.ts";

/** A claim of a tick: its due time, the next due time, and now. */
interface TickClaim {
  id: string;
  /** Required value of `nextAt`; null: an additional run, which does not change it. */
  dueAt: number | null;
  nextAt: number;
  tickAt: number;
  now: number;
}

/** Change of the count of consecutive failures. `add` is done in SQL, because callers may count concurrently. */
type Tally = "reset" | "add" | "keep";

/** The end of a tick, for the schedule's row and log. */
interface TickEnd {
  id: string;
  tickAt: number;
  /** The submission's id; null: none was made. */
  submissionId: string | null;
  failures: Tally;
  event: ScheduleEventRecord;
}

interface StatusChange {
  id: string;
  from: ScheduleRecord["status"];
  to: ScheduleRecord["status"];
  reason: string | null;
  nextAt: number;
  event: ScheduleEventRecord;
}

/** Sorts after every id that starts with an ASCII prefix. */
const END = "\u{7f}";

const ended = ["finished", "failed", "cancelled"] as const;

const tallies = { reset: { failures: 0 }, add: { failures: sql`failures + 1` }, keep: {} };

const WAITING = `
  SELECT id FROM (
    SELECT id, since, row_number() OVER (PARTITION BY owner ORDER BY since, id) AS place FROM (
      SELECT id, owner, next_at AS since FROM schedules
      WHERE status = 'active' AND next_at <= ?1 AND tick_at IS NULL
      UNION ALL
      SELECT id, owner, tick_since FROM schedules WHERE tick_at IS NOT NULL AND tick_since < ?2))
  ORDER BY place, since, id LIMIT ?3`;

export type ScheduleStore = ReturnType<typeof scheduleStore>;

export function scheduleStore(d1: D1Database) {
  const db = drizzle(d1);
  /** Logs the event only if a row was changed. */
  const changeOne = async (
    open: SQL | undefined,
    values: SQLiteUpdateSetSource<typeof schedules>,
    event: typeof scheduleEvents.$inferInsert,
  ): Promise<boolean> => {
    const changed = await db
      .update(schedules)
      .set(values)
      .where(open)
      .returning({ id: schedules.id });
    if (changed.length === 0) return false;
    await db.insert(scheduleEvents).values(event).onConflictDoNothing();
    return true;
  };
  return {
    ...scheduleReads(d1),
    /** False if its owner has `most` schedules. */
    async insert(schedule: ScheduleRecord, most: number): Promise<boolean> {
      const counted = eq(schedules.owner, schedule.owner);
      await insertBelow(db, schedules, schedule, { counted, most });
      return (await db.$count(schedules, eq(schedules.id, schedule.id))) > 0;
    },
    /** The sealed key is deleted with the row. */
    async remove(id: string): Promise<void> {
      await db.batch([
        db.delete(scheduleEvents).where(eq(scheduleEvents.scheduleId, id)),
        db.delete(schedules).where(eq(schedules.id, id)),
      ]);
    },
    /** Claims a tick; false if another caller claimed it, or a tick is in progress. */
    async claim({ id, dueAt, nextAt, tickAt, now }: TickClaim): Promise<boolean> {
      const isDue = dueAt === null ? undefined : eq(schedules.nextAt, dueAt);
      const isActive = dueAt === null ? undefined : eq(schedules.status, "active");
      const claimed = await db
        .update(schedules)
        .set({ ...(dueAt === null ? {} : { nextAt }), tickAt, tickSince: now })
        .where(and(eq(schedules.id, id), isNull(schedules.tickAt), isDue, isActive))
        .returning({ id: schedules.id });
      return claimed.length > 0;
    },
    /** Claims a tick whose executor has crashed; false if the tick has ended, or another caller claimed it. */
    async retake({ id, tickAt, tickSince }: ScheduleRecord, now: number): Promise<boolean> {
      const taken = await db
        .update(schedules)
        .set({ tickSince: now })
        .where(
          and(
            eq(schedules.id, id),
            eq(schedules.tickAt, tickAt ?? 0),
            eq(schedules.tickSince, tickSince ?? 0),
          ),
        )
        .returning({ id: schedules.id });
      return taken.length > 0;
    },
    /** No-op if the tick has ended already. */
    async endTick({ id, tickAt, submissionId, failures, event }: TickEnd): Promise<void> {
      const submitted = submissionId === null ? {} : { submissionId, isSettled: false };
      const open = and(eq(schedules.id, id), eq(schedules.tickAt, tickAt));
      const ended = { ...submitted, ...tallies[failures], tickAt: null, tickSince: null };
      await changeOne(open, ended, event);
    },
    /** Counts the end of a run once; false if it was counted already. */
    settle(
      { id, submissionId }: Pick<ScheduleRecord, "id" | "submissionId">,
      failures: Tally,
      event: ScheduleEventRecord,
    ): Promise<boolean> {
      const its = and(eq(schedules.id, id), eq(schedules.submissionId, submissionId ?? ""));
      const open = and(its, eq(schedules.isSettled, false));
      return changeOne(open, { isSettled: true, ...tallies[failures] }, event);
    },
    /** False if its status is not one of `from`. */
    changeStatus({ id, from, to, reason, nextAt, event }: StatusChange): Promise<boolean> {
      const open = and(eq(schedules.id, id), eq(schedules.status, from));
      return changeOne(
        open,
        { status: to, statusReason: reason, nextAt, ...(to === "active" && { failures: 0 }) },
        event,
      );
    },
    async pruneEvents(before: number): Promise<void> {
      await db.delete(scheduleEvents).where(lt(scheduleEvents.at, before));
    },
  };
}

/** Id of the newest run with a prefix `s.value`. */
const LATEST = sql.raw(`(SELECT id FROM runs r
  WHERE r.submission_id >= s.value AND r.submission_id < s.value || char(127) AND r.deleted_at IS NULL
  ORDER BY r.created_at DESC, r.id DESC LIMIT 1)`);

function scheduleReads(d1: D1Database) {
  const db = drizzle(d1);
  /** Runs of a schedule with their drift, newest first. */
  const history = (submissionPrefix: string, limit: number) =>
    db
      .select({ run: runs, drift: drifts.drift })
      .from(runs)
      .leftJoin(drifts, eq(drifts.runId, runs.id))
      .where(
        and(
          gte(runs.submissionId, submissionPrefix),
          lt(runs.submissionId, `${submissionPrefix}${END}`),
          isNull(runs.deletedAt),
        ),
      )
      .orderBy(desc(runs.createdAt), desc(runs.id))
      .limit(limit);
  return {
    async get(id: string): Promise<ScheduleRecord | null> {
      return (await db.select().from(schedules).where(eq(schedules.id, id)).limit(1))[0] ?? null;
    },
    /** Newest first; null: all owners. */
    list: (owner: string | null, { after, limit }: ListPage): Promise<ScheduleRecord[]> =>
      db
        .select()
        .from(schedules)
        .where(
          and(
            owner === null ? undefined : eq(schedules.owner, owner),
            olderThan(schedules.createdAt, schedules.id, after),
          ),
        )
        .orderBy(desc(schedules.createdAt), desc(schedules.id))
        .limit(limit),
    /**
     * Active schedules that are due, and those whose tick was claimed before `takenBefore` and has not ended. Every
     * account's first schedule comes before any second one; within these, the longest waiting comes first.
     */
    async waiting(now: number, takenBefore: number, limit: number): Promise<string[]> {
      const found = await d1.prepare(WAITING).bind(now, takenBefore, limit).all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },
    /** Schedules (or one) with ended runs that are not counted yet. */
    unsettled: (
      limit: number,
      id?: string,
    ): Promise<{ schedule: ScheduleRecord; run: RunRecord }[]> =>
      db
        .select({ schedule: schedules, run: runs })
        .from(schedules)
        .innerJoin(runs, eq(runs.submissionId, schedules.submissionId))
        .where(
          and(
            eq(schedules.isSettled, false),
            inArray(runs.status, [...ended]),
            id === undefined ? undefined : eq(schedules.id, id),
          ),
        )
        .limit(limit),
    /** Newest first. */
    events: (id: string, limit: number): Promise<ScheduleEventRecord[]> =>
      db
        .select()
        .from(scheduleEvents)
        .where(eq(scheduleEvents.scheduleId, id))
        .orderBy(desc(scheduleEvents.at), sql`rowid DESC`)
        .limit(limit),
    /** Its runs, newest first. */
    async runs(submissionPrefix: string, limit: number): Promise<RunRecord[]> {
      return (await history(submissionPrefix, limit)).map(({ run }) => run);
    },
    history,
    /** The newest run of each of some schedules that has one. */
    latest: (submissionPrefixes: readonly string[]): Promise<RunRecord[]> =>
      db
        .select()
        .from(runs)
        .where(
          sql`id IN (SELECT ${LATEST} FROM json_each(${JSON.stringify(submissionPrefixes)}) s)`,
        ),
  };
}
