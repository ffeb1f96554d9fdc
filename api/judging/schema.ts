import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JudgeShift } from "#shared/contracts/judging/bridge.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";

/** Results of the last check of the providers' model lists, for models that judge. */
export const judgeModels = sqliteTable(
  "judge_models",
  {
    provider: text().notNull(),
    model: text().notNull(),
    ends: text(),
    replacement: text(),
    listed: integer({ mode: "boolean" }),
    warning: text(),
    checkedAt: text("checked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.model] })],
);

/** Old and new judges on the same stored answers of a board. Few, so that they need no index. */
export const bridges = sqliteTable("bridges", {
  id: text().primaryKey(),
  boardId: text("board_id").notNull(),
  to: text({ mode: "json" }).$type<RunJudging>().notNull(),
  /** Judge options that replace those of the runs. */
  options: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  /** Ids of samples by run. */
  picked: text({ mode: "json" }).$type<Record<string, string[]>>().notNull(),
  shifts: text({ mode: "json" }).$type<JudgeShift[]>().notNull(),
  startedAt: text("started_at").notNull(),
  finishedAt: text("finished_at"),
  /** Until then (Unix ms), one message works on it, or its judges accept no calls. */
  heldUntil: integer("held_until").notNull(),
});

export type JudgeModelRecord = typeof judgeModels.$inferSelect;
export type BridgeRecord = typeof bridges.$inferSelect;
