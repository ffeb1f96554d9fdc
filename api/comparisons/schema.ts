import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RunRecord } from "../runs/schema.ts";

/** Parities: one model at several hosts. All other facts follow from the reference run, which never changes. */
export const parities = sqliteTable(
  "parities",
  {
    /** owner/name. */
    name: text().primaryKey(),
    owner: text().notNull(),
    referenceId: text("reference_id").notNull(),
    margin: real().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("parities_by_owner").on(table.owner)],
);

/**
 * Runs of a parity, including the reference; the run itself says whose it is. A row stays when its run is deleted or
 * removed, because every added run counts. It is written before its run starts.
 */
export const parityRuns = sqliteTable(
  "parity_runs",
  {
    parity: text().notNull(),
    runId: text("run_id").notNull(),
    label: text().notNull(),
    addedBy: text("added_by").notNull(),
    addedAt: integer("added_at").notNull(),
    /** Account that removed it from the parity; null: nobody. */
    removedBy: text("removed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.parity, table.runId] }),
    index("parity_runs_by_run").on(table.runId),
  ],
);

/**
 * Planned tests of runs, by account and by the run that they are against. A row stays when its run is deleted, because
 * a hidden test still counts as an attempt.
 */
export const plannedTests = sqliteTable(
  "planned_tests",
  {
    owner: text().notNull(),
    against: text().notNull(),
    runId: text("run_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.against, table.runId] })],
);

export type ParityRecord = typeof parities.$inferSelect;
export type ParityRunRecord = typeof parityRuns.$inferSelect;

/** The fields of a run that decide who may see it. */
export type Seen = Pick<RunRecord, "id" | "owner" | "visibility" | "deletedAt" | "hiddenReason">;
