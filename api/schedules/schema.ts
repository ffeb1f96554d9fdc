import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Drift } from "#shared/contracts/schedules/drift.ts";
import type { ScheduleEventKind } from "#shared/contracts/schedules/schedule.ts";
import type { SubmissionRequest } from "#shared/contracts/submissions/submission.ts";

/** How each finished run of an endpoint lies to those before it that asked the same of the model. */
export const drifts = sqliteTable(
  "drifts",
  {
    runId: text("run_id").primaryKey(),
    /** What the runs that are held against each other have in common, hashed. */
    series: text().notNull(),
    /** Place among them, from 0, in the order in which they were looked at. */
    position: integer().notNull(),
    /** Whether its coverage suffices: others are no references, and nothing counts them. */
    covered: integer({ mode: "boolean" }).notNull(),
    /** Null: it is a reference itself, or not covered. */
    referenceId: text("reference_id"),
    /** Re-evaluations since the reference, and the evidence of drift that they come to. */
    rerun: integer().notNull(),
    evidence: real().notNull(),
    flagged: integer({ mode: "boolean" }).notNull(),
    /** Whether it is the first on another version of the dataset. */
    datasetChanged: integer("dataset_changed", { mode: "boolean" }).notNull(),
    /** When the run had finished that was looked at: after a retry it is another one. */
    finishedAt: integer("finished_at").notNull(),
    drift: text({ mode: "json" }).$type<Drift>().notNull(),
  },
  (table) => [
    uniqueIndex("drifts_by_series").on(table.series, table.position),
    index("drifts_flagged").on(table.finishedAt).where(sql`flagged`),
    index("drifts_dataset_changed").on(table.finishedAt).where(sql`dataset_changed`),
  ],
);

/** Re-evaluations at set times. */
export const schedules = sqliteTable(
  "schedules",
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    /** The API key that made it, whose quota its runs are taken from; null: made without one. */
    keyId: text("key_id"),
    /** Whether it may name what belongs to others, as its maker might. */
    anyOwner: integer("any_owner", { mode: "boolean" }).notNull(),
    note: text(),
    /** A submission of one model, without keys and headers: those are sealed for the schedule. */
    request: text({ mode: "json" }).$type<SubmissionRequest>().notNull(),
    sealedSecrets: text("sealed_secrets"),
    cron: text(),
    everyHours: integer("every_hours"),
    status: text({ enum: ["active", "paused"] }).notNull(),
    statusReason: text("status_reason"),
    nextAt: integer("next_at").notNull(),
    /** A tick that is being carried out, and since when; null: none. */
    tickAt: integer("tick_at"),
    tickSince: integer("tick_since"),
    /** What was submitted last; whether its end has been counted. */
    submissionId: text("submission_id"),
    isSettled: integer("is_settled", { mode: "boolean" }).notNull().default(true),
    /** Failures one after the other. */
    failures: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("schedules_by_owner").on(table.owner),
    index("schedules_due").on(table.nextAt).where(sql`status = 'active'`),
  ],
);

/** The outcome of each tick of a schedule. */
export const scheduleEvents = sqliteTable(
  "schedule_events",
  {
    scheduleId: text("schedule_id").notNull(),
    at: integer().notNull(),
    kind: text().$type<ScheduleEventKind>().notNull(),
    detail: text().notNull(),
    runId: text("run_id"),
  },
  (table) => [primaryKey({ columns: [table.scheduleId, table.at, table.kind] })],
);

export type DriftRecord = typeof drifts.$inferSelect;
export type ScheduleRecord = typeof schedules.$inferSelect;
export type ScheduleEventRecord = typeof scheduleEvents.$inferSelect;
