import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * People's ratings of a run's answers; those of a rescored run belong to its parent. WITHOUT ROWID: one write per
 * rating.
 */
export const ratings = sqliteTable(
  "ratings",
  {
    runId: text("run_id").notNull(),
    seq: integer().notNull(),
    metric: text().notNull(),
    rater: text().notNull(),
    sampleId: text("sample_id").notNull(),
    answerHash: text("answer_hash").notNull(),
    score: real().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.seq, table.metric, table.rater] })],
);

export type StoredRating = Omit<typeof ratings.$inferSelect, "runId">;
