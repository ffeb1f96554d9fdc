import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type {
  BoardPageRef,
  LeaderboardEntry,
  LeaderboardTests,
} from "#shared/contracts/boards/leaderboard.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";

/** Runs ever started of a model in a board's configuration: rows of runs go when they are deleted. */
export const attempts = sqliteTable(
  "attempts",
  {
    boardId: text("board_id").notNull(),
    modelSlug: text("model_slug").notNull(),
    total: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.boardId, table.modelSlug] })],
);

/** A board, materialised: a public read is one row. */
export const boards = sqliteTable(
  "boards",
  {
    id: text().primaryKey(),
    suite: text().notNull(),
    suiteVersion: text("suite_version").notNull(),
    headline: text().notNull(),
    datasetName: text("dataset_name").notNull(),
    datasetVersion: text("dataset_version").notNull(),
    datasetSamples: integer("dataset_samples").notNull(),
    scoringVersion: text("scoring_version").notNull(),
    promptHash: text("prompt_hash").notNull(),
    structuredOutput: text("structured_output").notNull(),
    repeats: integer().notNull(),
    /** Who judges its runs; null: no judge is asked. */
    judging: text({ mode: "json" }).$type<RunJudging>(),
    /** The board that the suite's default options lead to. */
    isDefault: integer("is_default", { mode: "boolean" }).notNull(),
    /** Whose options led to it first; null: they are the standard ones, or an admin's. */
    madeBy: text("made_by"),
    /** Its dataset is private. */
    hiddenSamples: integer("hidden_samples", { mode: "boolean" }).notNull(),
    /** The first page of its entries. */
    entries: text({ mode: "json" }).$type<LeaderboardEntry[]>().notNull(),
    /** The pages after the first, which are in R2. */
    pages: text({ mode: "json" }).$type<BoardPageRef[]>().notNull().default([]),
    /** Samples that all ranked runs have. */
    comparedSamples: integer("compared_samples"),
    /** Those that tie groups rest on. */
    tests: text({ mode: "json" }).$type<LeaderboardTests>(),
    updatedAt: integer("updated_at").notNull(),
    /** The board that its answers were re-published on; null: it takes new runs. */
    supersededBy: text("superseded_by"),
    supersededAt: integer("superseded_at"),
    /** When a run was last hidden or deleted that it lists: what listed it before is deleted without delay. */
    withdrawnAt: integer("withdrawn_at").notNull().default(0),
    leaseExpiresAt: integer("lease_expires_at").notNull().default(0),
  },
  (table) => [
    index("boards_by_dataset").on(table.suite, table.datasetName),
    index("boards_by_maker").on(table.madeBy).where(sql`made_by IS NOT NULL`),
  ],
);

/** Where models are that a board lists beyond its first page: the page's number, from 1. */
export const boardPlaces = sqliteTable(
  "board_places",
  {
    boardId: text("board_id").notNull(),
    modelSlug: text("model_slug").notNull(),
    page: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.boardId, table.modelSlug] })],
);

export type BoardRecord = typeof boards.$inferSelect;

/** A board without what is ranked on it. */
export type BoardIdentity = Omit<
  BoardRecord,
  | "entries"
  | "pages"
  | "comparedSamples"
  | "tests"
  | "updatedAt"
  | "supersededBy"
  | "supersededAt"
  | "withdrawnAt"
  | "leaseExpiresAt"
>;
