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
import type { Drift } from "#shared/contracts/drift/drift.ts";
import type { ScheduleEventKind } from "#shared/contracts/schedules/schedule.ts";
import type { KeptStream } from "#shared/contracts/schedules/stream.ts";
import type { SubmissionRequest } from "#shared/contracts/submissions/submission.ts";

/** How each finished run of an endpoint compares with earlier runs of the same requests. */
export const drifts = sqliteTable(
  "drifts",
  {
    runId: text("run_id").primaryKey(),
    /** Hash of what comparable runs have in common. */
    series: text().notNull(),
    /** Position in the series (from 0), in the order of comparison. */
    position: integer().notNull(),
    /** Whether its coverage is sufficient; other runs are not compared and are no references. */
    covered: integer({ mode: "boolean" }).notNull(),
    /** Null if it is a reference itself, or not covered. */
    referenceId: text("reference_id"),
    /** Number of re-evaluations since the reference, and the evidence of drift at this one. */
    rerun: integer().notNull(),
    evidence: real().notNull(),
    flagged: integer({ mode: "boolean" }).notNull(),
    /** Whether it is the first run on another version of the dataset. */
    datasetChanged: integer("dataset_changed", { mode: "boolean" }).notNull(),
    /** End of the compared run: a retry gives it another end. */
    finishedAt: integer("finished_at").notNull(),
    drift: text({ mode: "json" }).$type<Drift>().notNull(),
  },
  (table) => [
    uniqueIndex("drifts_by_series").on(table.series, table.position),
    index("drifts_flagged").on(table.finishedAt).where(sql`flagged`),
    index("drifts_dataset_changed").on(table.finishedAt).where(sql`dataset_changed`),
  ],
);

export const schedules = sqliteTable(
  "schedules",
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    /** The API key that created it, whose quota its runs use; null: created without a key. */
    keyId: text("key_id"),
    /** The person who created it, by a session or a key of their own; null: the operator's key. */
    person: text(),
    /** Whether it may refer to data of other owners, like its creator. */
    anyOwner: integer("any_owner", { mode: "boolean" }).notNull(),
    note: text(),
    /** A submission of one model, without keys and headers, which are sealed for the schedule. */
    request: text({ mode: "json" }).$type<SubmissionRequest>().notNull(),
    sealedSecrets: text("sealed_secrets"),
    /**
     * Source of rows from which each tick draws a version of the dataset; null: ticks use the dataset's newest version.
     */
    stream: text({ mode: "json" }).$type<KeptStream>(),
    /** The stream's address and authorization. */
    sealedStream: text("sealed_stream"),
    cron: text(),
    everyHours: integer("every_hours"),
    status: text({ enum: ["active", "paused"] }).notNull(),
    statusReason: text("status_reason"),
    nextAt: integer("next_at").notNull(),
    /** Due time of a tick in progress, and when it started; null: none. */
    tickAt: integer("tick_at"),
    tickSince: integer("tick_since"),
    /** The latest submission, and whether its end has been counted. */
    submissionId: text("submission_id"),
    isSettled: integer("is_settled", { mode: "boolean" }).notNull().default(true),
    failures: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("schedules_by_owner").on(table.owner),
    index("schedules_due").on(table.nextAt).where(sql`status = 'active'`),
  ],
);

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
