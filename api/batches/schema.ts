import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Route } from "#shared/contracts/judging/judge.ts";

/** Batches of providers, each with requests of one lane. Times are Unix ms. */
export const batches = sqliteTable(
  "batches",
  {
    /** Sent with the batch if the provider accepts a name, to find the batch again. */
    id: text().primaryKey(),
    runId: text("run_id").notNull(),
    phase: text({ enum: ["answering", "judging"] }).notNull(),
    /** Number of retries of the run at the time of submission. */
    retry: integer().notNull(),
    lane: integer().notNull(),
    /** The judge that is called; null: the run's model. */
    judge: text({ mode: "json" }).$type<Route>(),
    requests: integer().notNull(),
    /** The provider's id; null until it has confirmed the submission. */
    providerId: text("provider_id"),
    /** Number of objects with the replies; null until they are read. */
    pieces: integer(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("batches_by_run").on(table.runId),
    index("batches_by_provider_id").on(table.providerId),
  ],
);

export type BatchRecord = typeof batches.$inferSelect;
