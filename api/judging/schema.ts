import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JudgeShift } from "#shared/contracts/judging/bridge.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";

/** What the last look at the providers' lists of models says about the models that judge. */
export const judgeModels = sqliteTable(
  "judge_models",
  {
    provider: text().notNull(),
    model: text().notNull(),
    ends: text(),
    replacement: text(),
    listed: integer({ mode: "boolean" }),
    warning: text(),
    checkedAt: integer("checked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.model] })],
);

/** Answers of one run, by sample id. */
export interface PickedAnswers {
  run: string;
  samples: string[];
}

/** Old and new judges on the same stored answers of a board. */
export const bridges = sqliteTable(
  "bridges",
  {
    id: text().primaryKey(),
    boardId: text("board_id").notNull(),
    to: text({ mode: "json" }).$type<RunJudging>().notNull(),
    /** Judge options that replace those of the runs. */
    options: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    picked: text({ mode: "json" }).$type<PickedAnswers[]>().notNull(),
    shifts: text({ mode: "json" }).$type<JudgeShift[]>().notNull(),
    startedAt: integer("started_at").notNull(),
    finishedAt: integer("finished_at"),
    /** Until then one message works on it, or judges want no calls. */
    heldUntil: integer("held_until").notNull().default(0),
  },
  (table) => [
    index("bridges_by_board").on(table.boardId),
    index("bridges_open").on(table.heldUntil).where(sql`finished_at IS NULL`),
  ],
);

export type JudgeModelRecord = typeof judgeModels.$inferSelect;
export type BridgeRecord = typeof bridges.$inferSelect;
