import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { RankChange, Republication } from "#shared/contracts/republication.ts";

/** Boards whose stored answers are, or were, scored anew into other boards. */
export const republications = sqliteTable(
  "republications",
  {
    id: text().primaryKey(),
    suite: text().notNull(),
    datasetName: text("dataset_name").notNull(),
    headline: text().notNull(),
    causes: text({ mode: "json" }).$type<Republication["causes"]>().notNull(),
    reason: text().notNull(),
    correctedSamples: integer("corrected_samples"),
    fromBoard: text("from_board").notNull(),
    /** Null: no answer could be scored anew. */
    toBoard: text("to_board"),
    fromDataset: text("from_dataset").notNull(),
    toDataset: text("to_dataset").notNull(),
    fromSuiteVersion: text("from_suite_version").notNull(),
    toSuiteVersion: text("to_suite_version").notNull(),
    /** Of the runs that score the answers anew. */
    submissionId: text("submission_id").notNull(),
    /** The old board's entries when it started; once it has finished, with what became of each. */
    changes: text({ mode: "json" }).$type<RankChange[]>().notNull(),
    startedAt: integer("started_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    index("republications_from").on(table.fromBoard),
    index("republications_to").on(table.toBoard),
    uniqueIndex("republications_open").on(table.fromBoard).where(sql`finished_at IS NULL`),
  ],
);
