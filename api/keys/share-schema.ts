import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OpenedThing } from "#shared/contracts/keys/share.ts";

/** Maximum active links of one run, and of all other things of an account; also the maximum of ended links. */
export const MOST_SHARES = 100;

/** Links that open private runs, boards and parities. Times are Unix ms. */
export const shares = sqliteTable(
  "shares",
  {
    id: text().primaryKey(),
    /** The run for which it was made (empty: for something else), and all runs that it opens. */
    runId: text("run_id").notNull(),
    runs: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The board or parity that it opens; null: none. */
    opens: text({ mode: "json" }).$type<OpenedThing>(),
    /** The account whose runs it opens. */
    owner: text().notNull().default(""),
    note: text(),
    /** The person who made it, by a session or a key of theirs; null: a key of the operator. */
    createdBy: text("created_by"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    index("shares_by_run").on(table.runId, table.createdAt),
    index("shares_by_owner").on(table.owner, table.createdAt),
    index("shares_by_creator").on(table.createdBy).where(sql`created_by IS NOT NULL`),
  ],
);

export type ShareRecord = typeof shares.$inferSelect;
