import { and, desc, eq, gt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { BoardStore } from "../pipeline/ports.ts";
import { isInView } from "./run-visibility.ts";
import { boards, datasets, runs } from "./schema.ts";
import { versionPrefix } from "./version-prefix.ts";

/** A badge looks no further than this for a board on which its model ranks. */
const BOARDS_OF_MODEL = 5;

type Reads = "get" | "find" | "ofModel" | "all" | "outdated";

/** Reads of materialised leaderboards. */
export function boardReads(d1: D1Database): Pick<BoardStore, Reads> {
  const db = drizzle(d1);
  return {
    async get(id) {
      return (await db.select().from(boards).where(eq(boards.id, id)).limit(1))[0] ?? null;
    },

    async find(suite, datasetName, version) {
      const sameDataset = and(
        eq(datasets.suite, boards.suite),
        eq(datasets.name, boards.datasetName),
        eq(datasets.version, boards.datasetVersion),
      );
      const rows = await db
        .select({ board: boards })
        .from(boards)
        .innerJoin(datasets, sameDataset)
        .where(
          and(
            eq(boards.suite, suite),
            eq(boards.datasetName, datasetName),
            eq(boards.isDefault, true),
            versionPrefix(boards.datasetVersion, version),
          ),
        )
        .orderBy(desc(datasets.createdAt), desc(boards.updatedAt))
        .limit(1);
      return rows[0]?.board ?? null;
    },

    async ofModel(slug, suite) {
      const newest = sql`max(${runs.finishedAt})`;
      const rows = await db
        .select({ board: boards })
        .from(runs)
        .innerJoin(boards, eq(boards.id, runs.boardId))
        .where(
          and(
            eq(runs.modelSlug, slug),
            eq(runs.status, "finished"),
            isInView(),
            eq(boards.isDefault, true),
            suite === null ? undefined : eq(runs.suite, suite),
          ),
        )
        .groupBy(boards.id)
        .orderBy(desc(newest))
        .limit(BOARDS_OF_MODEL);
      return rows.map((row) => row.board);
    },

    all: () => db.select().from(boards).orderBy(boards.suite, boards.datasetName, boards.id),

    async outdated() {
      const rows = await db
        .selectDistinct({ id: boards.id })
        .from(boards)
        .innerJoin(runs, and(eq(runs.boardId, boards.id), gt(runs.finishedAt, boards.updatedAt)));
      return rows.map((row) => row.id);
    },
  };
}
