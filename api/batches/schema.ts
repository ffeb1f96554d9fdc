import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Route } from "#shared/contracts/judging/judge.ts";

/** Batches of providers, each with requests of one lane. Times are Unix ms. */
export const batches = sqliteTable(
  "batches",
  {
    /** Sent along with the batch where the provider takes a name, to find it again. */
    id: text().primaryKey(),
    runId: text("run_id").notNull(),
    phase: text({ enum: ["answering", "judging"] }).notNull(),
    /** Number of the run's retries when it was submitted. */
    retry: integer().notNull(),
    lane: integer().notNull(),
    /** The judge that it asks; null: the run's model. */
    judge: text({ mode: "json" }).$type<Route>(),
    requests: integer().notNull(),
    /** The provider's id; null: its reply to the submission has not arrived. */
    providerId: text("provider_id"),
    /** Number of objects with its replies; null: they have not been read. */
    pieces: integer(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("batches_by_run").on(table.runId),
    index("batches_by_provider_id").on(table.providerId),
  ],
);

export type BatchRecord = typeof batches.$inferSelect;
