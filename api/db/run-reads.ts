import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { RunStore } from "../pipeline/run-store.ts";
import { liveStatuses } from "./live-run.ts";
import { isInView } from "./run-visibility.ts";
import { runs, submissions } from "./schema.ts";

type Reads = "submission" | "get" | "finishedOnBoard" | "published" | "canaries" | "openSweeps";

/** The newest of each are among them, however often all are measured. */
const NEWEST_CANARIES = 50;

/** Asked by every reader of a run and by every lane, hence put together once. */
const runById = (db: DrizzleD1Database) =>
  db
    .select()
    .from(runs)
    .where(eq(runs.id, sql.placeholder("id")))
    .limit(1)
    .prepare();

/** Reads of submissions and runs. */
export function runReads(d1: D1Database): Pick<RunStore, Reads> {
  const db = drizzle(d1);
  const byId = runById(db);
  return {
    async get(id) {
      return (await byId.execute({ id }))[0] ?? null;
    },

    async submission(id) {
      const [found] = await db.select().from(submissions).where(eq(submissions.id, id)).limit(1);
      if (!found) return null;
      const ofIt = eq(runs.submissionId, id);
      const its = await db.select().from(runs).where(ofIt).orderBy(asc(runs.id));
      return { submission: found, runs: its };
    },

    finishedOnBoard: (boardId) =>
      db
        .select()
        .from(runs)
        .where(and(eq(runs.boardId, boardId), eq(runs.status, "finished"), isInView()))
        .orderBy(desc(runs.answeredAt), desc(runs.finishedAt)),

    published: (limit) =>
      db
        .select()
        .from(runs)
        .where(
          and(
            eq(runs.visibility, "public"),
            inArray(runs.status, ["finished", "failed"]),
            isInView(),
          ),
        )
        .orderBy(desc(runs.finishedAt), desc(runs.id))
        .limit(limit),

    canaries: (suite, scoringVersion) =>
      db
        .select()
        .from(runs)
        .where(
          and(
            eq(runs.suite, suite),
            eq(runs.scoringVersion, scoringVersion),
            isNotNull(runs.canary),
            eq(runs.status, "finished"),
            isInView(),
          ),
        )
        .orderBy(desc(runs.finishedAt))
        .limit(NEWEST_CANARIES),

    async openSweeps() {
      const open = await db
        .selectDistinct({ id: runs.submissionId })
        .from(runs)
        .where(
          and(inArray(runs.status, liveStatuses), isNotNull(runs.variant), isNull(runs.deletedAt)),
        );
      return open.map(({ id }) => id);
    },
  };
}
