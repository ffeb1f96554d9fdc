import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Most links of one run, revoked ones included. */
export const MOST_SHARES = 100;

/** Links that open private runs. Times are Unix ms. */
export const shares = sqliteTable(
  "shares",
  {
    id: text().primaryKey(),
    /** The run for which it was made, and all runs that it opens. */
    runId: text("run_id").notNull(),
    runs: text({ mode: "json" }).$type<string[]>().notNull(),
    note: text(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("shares_by_run").on(table.runId, table.createdAt)],
);

export type ShareRecord = typeof shares.$inferSelect;
