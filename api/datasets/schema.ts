import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Correction, RowNote } from "#shared/contracts/datasets/dataset.ts";
import type { LikelyClusters } from "#shared/contracts/datasets/likely-clusters.ts";
import type { RowMapping } from "#shared/contracts/datasets/row-mapping.ts";
import type { VersionDraw } from "#shared/contracts/datasets/version-draw.ts";

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
    /** The earlier version that it corrects; null if none. */
    corrects: text({ mode: "json" }).$type<Correction>(),
    /** Samples that probably share a source; null: none, or the uploader has stated which do. */
    likelyClusters: text("likely_clusters", { mode: "json" }).$type<LikelyClusters>(),
    /** Mapping that made these rows from others; null: uploaded unchanged. */
    mapping: text({ mode: "json" }).$type<RowMapping>(),
    /** How it was drawn from a stream; null: it was not. */
    stream: text({ mode: "json" }).$type<VersionDraw>(),
    createdAt: integer("created_at").notNull(),
    /** Size of its rows as canonical JSONL; 0 if stored before sizes were recorded. */
    bytes: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.suite, table.name, table.version] }),
    index("datasets_by_version").on(table.suite, table.version),
    index("datasets_by_owner").on(table.owner),
  ],
);

/**
 * Versions whose objects may be unused: those being stored, and those of deleted datasets. When due, the cron job
 * deletes the objects unless a dataset or run uses the version.
 */
export const datasetLeftovers = sqliteTable(
  "dataset_leftovers",
  {
    suite: text().notNull(),
    version: text().notNull(),
    dueAt: integer("due_at").notNull(),
    /** When a cron run began to delete them; null if none has. */
    claimedAt: integer("claimed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.suite, table.version] }),
    index("dataset_leftovers_due").on(table.dueAt),
  ],
);
