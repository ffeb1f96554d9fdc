import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RunRecord } from "../runs/schema.ts";

/** One model at several hosts. What is not here follows from the run of the reference, which never changes. */
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
 * Runs of a parity, the reference included: who ran one is in the run. A row remains when its run is deleted, or when it
 * is removed, because every run that was added counts. It is written before its run starts.
 */
export const parityRuns = sqliteTable(
  "parity_runs",
  {
    parity: text().notNull(),
    runId: text("run_id").notNull(),
    label: text().notNull(),
    /** Account that added it. */
    addedBy: text("added_by").notNull(),
    addedAt: integer("added_at").notNull(),
    /** Account that took it out of the parity; null: nobody. */
    removedBy: text("removed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.parity, table.runId] }),
    index("parity_runs_by_run").on(table.runId),
  ],
);

/**
 * Tests that were planned with runs, by account and by the run that they are against. A row remains when its run is
 * deleted, because a test that is not shown any more was a try.
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

/** Of a run: who may see it. */
export type Seen = Pick<RunRecord, "id" | "owner" | "visibility" | "deletedAt" | "hiddenReason">;
