import type { ListPage, RunRecord } from "../platform/ports.ts";
import type { scheduleEvents, schedules } from "./schema.ts";

export type ScheduleRecord = typeof schedules.$inferSelect;
export type ScheduleEventRecord = typeof scheduleEvents.$inferSelect;

/** Who takes a tick: the time that it was due at, the next one, and now. */
interface TickClaim {
  id: string;
  /** What `nextAt` has to be; null: out of turn, which leaves it as it is. */
  dueAt: number | null;
  nextAt: number;
  tickAt: number;
  now: number;
}

/** What becomes of the count of failures in a row; added to in the store, since two may count at once. */
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
