import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Correction, RowNote } from "#shared/contracts/datasets/dataset.ts";

export const datasets = sqliteTable(
  "datasets",
  {
    suite: text().notNull(),
    name: text().notNull(),
    version: text().notNull(),
    owner: text().notNull(),
    samples: integer().notNull(),
    malformed: text({ mode: "json" }).$type<RowNote[]>().notNull(),
    warnings: text({ mode: "json" }).$type<RowNote[]>().notNull(),
    visibility: text({ enum: ["public", "unlisted", "private"] }).notNull(),
    license: text(),
    source: text(),
    /** What it puts right in an earlier version; null: it corrects none. */
    corrects: text({ mode: "json" }).$type<Correction>(),
    createdAt: integer("created_at").notNull(),
    /** Of its rows as canonical JSONL; 0 where it was stored before they were counted. */
    bytes: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.suite, table.name, table.version] }),
    index("datasets_by_version").on(table.suite, table.version),
    index("datasets_by_owner").on(table.owner),
  ],
);

/**
 * Versions whose objects may be of no use: those being stored, and those of deleted datasets. The cron job removes
 * the objects when they are due and neither a dataset nor a run has the version.
 */
export const datasetLeftovers = sqliteTable(
  "dataset_leftovers",
  {
    suite: text().notNull(),
    version: text().notNull(),
    dueAt: integer("due_at").notNull(),
    /** Since when a cron run removes them; null: none does. */
    claimedAt: integer("claimed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.suite, table.version] }),
    index("dataset_leftovers_due").on(table.dueAt),
  ],
);
