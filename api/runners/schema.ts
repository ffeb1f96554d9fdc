import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PublicKey } from "#shared/contracts/boards/result-statement.ts";

/** Runners of accounts. Times are Unix ms. WITHOUT ROWID. */
export const runners = sqliteTable(
  "runners",
  {
    owner: text().notNull(),
    name: text().notNull(),
    keys: text({ mode: "json" }).$type<PublicKey[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    lastSeenAt: integer("last_seen_at"),
  },
  (table) => [primaryKey({ columns: [table.owner, table.name] })],
);

export type RunnerRecord = typeof runners.$inferSelect;

/**
 * Requests for a runner to send; deleted when the samples that they are for are saved. WITHOUT ROWID and without an
 * index: storing, leasing, replying and deleting write one row each.
 */
export const runnerRequests = sqliteTable(
  "runner_requests",
  {
    owner: text().notNull(),
    runner: text().notNull(),
    /** Hash of the run and the request. */
    id: text().notNull(),
    runId: text("run_id").notNull(),
    /** JSON; null if it is an object in R2. */
    request: text(),
    createdAt: integer("created_at").notNull(),
    /** Fencing token of the latest lease, and number of leases. */
    lease: text(),
    leases: integer().notNull().default(0),
    leaseUntil: integer("lease_until").notNull().default(0),
    /** JSON; null if none has arrived, or, with `repliedAt`, if it is an object in R2. */
    reply: text(),
    repliedAt: integer("replied_at"),
  },
  (table) => [primaryKey({ columns: [table.owner, table.runner, table.id] })],
);
