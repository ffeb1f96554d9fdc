import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type {
  BoardPageRef,
  LeaderboardEntry,
  LeaderboardTests,
} from "#shared/contracts/boards/leaderboard.ts";
import type { LikelyClusters } from "#shared/contracts/datasets/likely-clusters.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";

/**
 * Number of runs ever started for a model in a board's configuration. Deleted runs have no row but still count here.
 */
export const attempts = sqliteTable(
  "attempts",
  {
    boardId: text("board_id").notNull(),
    modelSlug: text("model_slug").notNull(),
    total: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.boardId, table.modelSlug] })],
);

/** A materialised board: a public read is one row. */
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
    /** Judges of its runs; null if there are none. */
    judging: text({ mode: "json" }).$type<RunJudging>(),
    /** Whether it is the board of the suite's default options. */
    isDefault: integer("is_default", { mode: "boolean" }).notNull(),
    /** Account whose options created it; null for the standard options and for admins. */
    madeBy: text("made_by"),
    /** Whether its dataset is private. */
    hiddenSamples: integer("hidden_samples", { mode: "boolean" }).notNull(),
    /** Likely clusters of its dataset; null once its uploader has stated which samples share a source. */
    likelyClusters: text("likely_clusters", { mode: "json" }).$type<LikelyClusters>(),
    /** The first page of its entries. */
    entries: text({ mode: "json" }).$type<LeaderboardEntry[]>().notNull(),
    /** The pages after the first, stored in R2. */
    pages: text({ mode: "json" }).$type<BoardPageRef[]>().notNull().default([]),
    /** Number of samples that all ranked runs have. */
    comparedSamples: integer("compared_samples"),
    /** The tests behind tie groups. */
    tests: text({ mode: "json" }).$type<LeaderboardTests>(),
    updatedAt: integer("updated_at").notNull(),
    /** The board to which its answers were re-published; null if it takes new runs. */
    supersededBy: text("superseded_by"),
    supersededAt: integer("superseded_at"),
    /** When a listed run was last hidden or deleted: older objects of this board are deleted without delay. */
    withdrawnAt: integer("withdrawn_at").notNull().default(0),
    leaseExpiresAt: integer("lease_expires_at").notNull().default(0),
  },
  (table) => [
    index("boards_by_dataset").on(table.suite, table.datasetName),
    index("boards_by_maker").on(table.madeBy).where(sql`made_by IS NOT NULL`),
  ],
);

/** For boards of more than one page: the page that lists a model (from 1). */
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

/** The fields of a board that do not depend on its ranking. */
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
