import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { RankChange, Republication } from "#shared/contracts/boards/republication.ts";

const kind = () => text({ enum: ["runs", "boards", "datasets", "sweeps", "parities"] }).notNull();

/** Counters of changed results: a lower `published` or `hooked` means that publication or site is behind. */
export const publications = sqliteTable("publications", {
  target: text().primaryKey(),
  changes: integer().notNull().default(0),
  published: integer().notNull().default(0),
  hooked: integer().notNull().default(0),
  hookCalledAt: integer("hook_called_at").notNull().default(0),
  /** Hash of the newest root, and the root as JSON; null: none was written yet. */
  hash: text(),
  root: text(),
  /** Hash of the object schemas; null: nothing was written yet. */
  format: text(),
  /** The last writer: of two publishers that started from the same state, only one can commit. */
  writer: text(),
});

/**
 * Changes since the last publication. Every change of a run, board or dataset is counted here in the same transaction,
 * so that publication reads only what changed.
 */
export const snapshotChanges = sqliteTable(
  "snapshot_changes",
  {
    kind: kind(),
    id: text().notNull(),
    changes: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export const snapshotItems = sqliteTable(
  "snapshot_items",
  {
    kind: kind(),
    page: integer().notNull(),
    id: text().notNull(),
    /** Its line on the page, as JSON. */
    entry: text().notNull(),
    /** Key of its object in R2; null: it has none. */
    key: text(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.page, table.id] })],
);

/** Unreferenced R2 objects that a running build may still read. So few that a search by key may scan them. */
export const retiredObjects = sqliteTable(
  "retired_objects",
  {
    deleteAt: integer("delete_at").notNull(),
    key: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deleteAt, table.key] })],
);

/** Boards whose stored answers are, or were, scored again for other boards. */
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
    /** Null: no answer could be scored again. */
    toBoard: text("to_board"),
    fromDataset: text("from_dataset").notNull(),
    toDataset: text("to_dataset").notNull(),
    fromSuiteVersion: text("from_suite_version").notNull(),
    toSuiteVersion: text("to_suite_version").notNull(),
    /** The runs that score the answers again. */
    submissionId: text("submission_id").notNull(),
    /** The old board's entries at the start; after the end with their new ranks. */
    changes: text({ mode: "json" }).$type<RankChange[]>().notNull(),
    startedAt: integer("started_at").notNull(),
    finishedAt: integer("finished_at"),
    /** Unix ms until which a message works on it, or until which it is not retried. */
    heldUntil: integer("held_until").notNull().default(0),
  },
  (table) => [
    index("republications_from").on(table.fromBoard),
    index("republications_to").on(table.toBoard),
    uniqueIndex("republications_open").on(table.fromBoard).where(sql`finished_at IS NULL`),
  ],
);

/** A changed run, board, dataset, sweep or parity, and its number of changes. */
export type SnapshotChange = typeof snapshotChanges.$inferSelect;
/** The same as listed. */
export type SnapshotItem = typeof snapshotItems.$inferSelect;
export type RepublicationRecord = typeof republications.$inferSelect;
