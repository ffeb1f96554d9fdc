import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
