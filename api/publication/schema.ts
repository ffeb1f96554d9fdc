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

const kind = () => text({ enum: ["runs", "boards", "datasets", "sweeps"] }).notNull();

/** Changes of results, counted: what is published and built is behind when its count is lower. */
export const publications = sqliteTable("publications", {
  target: text().primaryKey(),
  changes: integer().notNull().default(0),
  published: integer().notNull().default(0),
  hooked: integer().notNull().default(0),
  hookCalledAt: integer("hook_called_at").notNull().default(0),
  /** Of the newest root, and itself as JSON; null: none was written yet. */
  hash: text(),
  root: text(),
  /** What published objects look like; null: none was written yet. */
  format: text(),
  /** Who wrote last: of two publishers that began at the same state one alone commits. */
  writer: text(),
});

/**
 * What changed since it was published. Whoever changes a run, board or dataset counts it here in the same transaction, so
 * that publication reads what changed and nothing else.
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

/** What the snapshot lists. */
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

/**
 * Objects in R2 that nothing names any more: a build that began before may still read them for a while. Few enough to
 * be looked through by key.
 */
export const retiredObjects = sqliteTable(
  "retired_objects",
  {
    deleteAt: integer("delete_at").notNull(),
    key: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deleteAt, table.key] })],
);

/** Boards whose stored answers are, or were, scored again into other boards. */
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
    /** Of the runs that score the answers again. */
    submissionId: text("submission_id").notNull(),
    /** The old board's entries when it started; once it has finished, with the outcome of each. */
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

/** A run, board, dataset or sweep that has changed, and how often. */
export type SnapshotChange = typeof snapshotChanges.$inferSelect;
/** The same as it is listed. */
export type SnapshotItem = typeof snapshotItems.$inferSelect;
export type RepublicationRecord = typeof republications.$inferSelect;
