import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  type SQL,
  sql,
} from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { ListPage, RunRecord } from "../platform/ports.ts";
import { runs } from "../platform/schema.ts";
import { olderThan } from "../platform/sql.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "./schema.ts";
import { scheduleEvents, schedules } from "./schema.ts";

/** Past every id that begins with a prefix of ours, which are ASCII. */
const END = "\u{7f}";

const ended = ["finished", "failed", "cancelled"] as const;

const tallies = { reset: { failures: 0 }, add: { failures: sql`failures + 1` }, keep: {} };

type Reads = "get" | "list" | "due" | "stuck" | "unsettled" | "events" | "runs";

/** Schedules and their logs in D1. */
export function scheduleStore(d1: D1Database): ScheduleStore {
  const db = drizzle(d1);
  /** The log says only what was done. */
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
    async insert(schedule) {
      await db.insert(schedules).values(schedule).onConflictDoNothing();
    },
    async remove(id) {
      await db.batch([
        db.delete(scheduleEvents).where(eq(scheduleEvents.scheduleId, id)),
        db.delete(schedules).where(eq(schedules.id, id)),
      ]);
    },
    async claim({ id, dueAt, nextAt, tickAt, now }) {
      const isDue = dueAt === null ? undefined : eq(schedules.nextAt, dueAt);
      const isActive = dueAt === null ? undefined : eq(schedules.status, "active");
      const claimed = await db
        .update(schedules)
        .set({ ...(dueAt === null ? {} : { nextAt }), tickAt, tickSince: now })
        .where(and(eq(schedules.id, id), isNull(schedules.tickAt), isDue, isActive))
        .returning({ id: schedules.id });
      return claimed.length > 0;
    },
    async endTick({ id, tickAt, submissionId, failures, event }) {
      const submitted = submissionId === null ? {} : { submissionId, isSettled: false };
      const open = and(eq(schedules.id, id), eq(schedules.tickAt, tickAt));
      const ended = { ...submitted, ...tallies[failures], tickAt: null, tickSince: null };
      await changeOne(open, ended, event);
    },
    settle({ id, submissionId }, failures, event) {
      const its = and(eq(schedules.id, id), eq(schedules.submissionId, submissionId ?? ""));
      const open = and(its, eq(schedules.isSettled, false));
      return changeOne(open, { isSettled: true, ...tallies[failures] }, event);
    },
    changeStatus({ id, from, to, reason, nextAt, event }) {
      const open = and(eq(schedules.id, id), eq(schedules.status, from));
      return changeOne(
        open,
        { status: to, statusReason: reason, nextAt, ...(to === "active" && { failures: 0 }) },
        event,
      );
    },
    async pruneEvents(before) {
      await db.delete(scheduleEvents).where(lt(scheduleEvents.at, before));
    },
  };
}

const schedulesOf =
  (db: DrizzleD1Database): ScheduleStore["list"] =>
  (owner, { after, limit }) =>
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
      .limit(limit);

function scheduleReads(d1: D1Database): Pick<ScheduleStore, Reads> {
  const db = drizzle(d1);
  return {
    async get(id) {
      return (await db.select().from(schedules).where(eq(schedules.id, id)).limit(1))[0] ?? null;
    },
    list: schedulesOf(db),
    due: (now, limit) =>
      db
        .select()
        .from(schedules)
        .where(
          and(eq(schedules.status, "active"), lte(schedules.nextAt, now), isNull(schedules.tickAt)),
        )
        .orderBy(asc(schedules.nextAt))
        .limit(limit),
    stuck: (takenBefore, limit) =>
      db
        .select()
        .from(schedules)
        .where(and(isNotNull(schedules.tickAt), lt(schedules.tickSince, takenBefore)))
        .limit(limit),
    unsettled: (limit, id) =>
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
    events: (id, limit) =>
      db
        .select()
        .from(scheduleEvents)
        .where(eq(scheduleEvents.scheduleId, id))
        .orderBy(desc(scheduleEvents.at), sql`rowid DESC`)
        .limit(limit),
    runs: (prefix, limit) =>
      db
        .select()
        .from(runs)
        .where(
          and(
            gte(runs.submissionId, prefix),
            lt(runs.submissionId, `${prefix}${END}`),
            isNull(runs.deletedAt),
          ),
        )
        .orderBy(desc(runs.createdAt), desc(runs.id))
        .limit(limit),
  };
}

/** Who takes a tick: the time that it was due at, the next one, and now. */
interface TickClaim {
  id: string;
  /** What `nextAt` has to be; null: out of turn, which leaves it as it is. */
  dueAt: number | null;
  nextAt: number;
  tickAt: number;
  now: number;
}

/** The outcome of the count of failures in a row; added to in the store, since two may count at once. */
type Tally = "reset" | "add" | "keep";

/** How a tick ended, for the schedule's row and its log. */
interface TickEnd {
  id: string;
  tickAt: number;
  /** What was submitted; null: nothing. */
  submissionId: string | null;
  failures: Tally;
  event: ScheduleEventRecord;
}

/** A change of a schedule's status with why. */
interface StatusChange {
  id: string;
  from: ScheduleRecord["status"];
  to: ScheduleRecord["status"];
  reason: string | null;
  nextAt: number;
  event: ScheduleEventRecord;
}

/** Schedules and their logs. */
export interface ScheduleStore {
  insert(schedule: ScheduleRecord): Promise<void>;
  get(id: string): Promise<ScheduleRecord | null>;
  /** Newest first; null: everybody's. */
  list(owner: string | null, page: ListPage): Promise<ScheduleRecord[]>;
  /** The key goes with the row. */
  remove(id: string): Promise<void>;
  /** Active ones whose time has come, the longest due first. */
  due(now: number, limit: number): Promise<ScheduleRecord[]>;
  /** Those whose tick was taken before and never ended. */
  stuck(takenBefore: number, limit: number): Promise<ScheduleRecord[]>;
  /** Takes a tick; false where another took it, or one is being carried out. */
  claim(claim: TickClaim): Promise<boolean>;
  /** Nothing, where the tick has ended before. */
  endTick(end: TickEnd): Promise<void>;
  /** With runs that have ended and were not counted yet; of all schedules, or of one. */
  unsettled(limit: number, id?: string): Promise<{ schedule: ScheduleRecord; run: RunRecord }[]>;
  /** Counts the end of a run once; false where it was counted. */
  settle(
    schedule: Pick<ScheduleRecord, "id" | "submissionId">,
    failures: Tally,
    event: ScheduleEventRecord,
  ): Promise<boolean>;
  /** False where it has another status. */
  changeStatus(change: StatusChange): Promise<boolean>;
  /** Newest first. */
  events(id: string, limit: number): Promise<ScheduleEventRecord[]>;
  /** Its runs, newest first. */
  runs(submissionPrefix: string, limit: number): Promise<RunRecord[]>;
  pruneEvents(before: number): Promise<void>;
}
