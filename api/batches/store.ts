import { and, asc, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { prepared } from "../platform/sql.ts";
import type { RunRecord } from "../runs/schema.ts";
import { type BatchRecord, batches } from "./schema.ts";

export type BatchLane = Pick<BatchRecord, "runId" | "phase" | "retry" | "lane">;

/** Columns in the order of `BEGIN`. */
const BEGIN = `
  INSERT INTO batches (id, run_id, phase, retry, lane, judge, requests, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (
    SELECT 1 FROM leases l JOIN runs r ON r.id = l.run_id
    WHERE l.run_id = ?2 AND l.lane = ?5 AND l.attempt = ?9 AND r.status = 'running' AND r.phase = ?3)
  ON CONFLICT DO NOTHING`;

const STATUS = `SELECT status FROM runs WHERE id = ?1`;

export type BatchStore = ReturnType<typeof batchStore>;

export function batchStore(d1: D1Database) {
  const db = drizzle(d1);
  const ofLane = ({ runId, phase, retry, lane }: BatchLane) =>
    and(
      eq(batches.runId, runId),
      eq(batches.phase, phase),
      eq(batches.retry, retry),
      eq(batches.lane, lane),
    );
  return {
    ofLane: (lane: BatchLane): Promise<BatchRecord[]> =>
      db.select().from(batches).where(ofLane(lane)).orderBy(asc(batches.createdAt), batches.id),

    /** Batches of a run that have not been read, oldest first. */
    open: (runId: string): Promise<BatchRecord[]> =>
      db
        .select()
        .from(batches)
        .where(and(eq(batches.runId, runId), isNull(batches.pieces)))
        .orderBy(asc(batches.createdAt)),

    /**
     * Records a batch before it is submitted. False if the holder `attempt` has lost the lane, or the run was stopped.
     */
    async begin(
      { id, runId, phase, retry, lane, judge, requests, createdAt }: BatchRecord,
      attempt: number,
    ): Promise<boolean> {
      const route = judge && JSON.stringify(judge);
      const values = [id, runId, phase, retry, lane, route, requests, createdAt, attempt];
      const known = db.select({ id: batches.id }).from(batches).where(eq(batches.id, id));
      const results = await d1.batch([d1.prepare(BEGIN).bind(...values), prepared(d1, known)]);
      return (results[1]?.results.length ?? 0) > 0;
    },

    /** Records the provider's id. Returns the run's current status, null if the run is gone. */
    async submitted(
      { id, runId }: Pick<BatchRecord, "id" | "runId">,
      providerId: string,
    ): Promise<RunRecord["status"] | null> {
      const noted = db.update(batches).set({ providerId }).where(eq(batches.id, id));
      const results = await d1.batch<{ status: RunRecord["status"] }>([
        prepared(d1, noted),
        d1.prepare(STATUS).bind(runId),
      ]);
      return results[1]?.results[0]?.status ?? null;
    },

    /** Whether no batch has this provider id. */
    async isFree(providerId: string): Promise<boolean> {
      const known = db.select({ id: batches.id }).from(batches);
      return (await known.where(eq(batches.providerId, providerId)).limit(1)).length === 0;
    },

    /** Records that all replies are stored. */
    async read(id: string, pieces: number): Promise<void> {
      await db.update(batches).set({ pieces }).where(eq(batches.id, id));
    },

    /** Deletes a batch that was never submitted. */
    async drop(id: string): Promise<void> {
      await db.delete(batches).where(eq(batches.id, id));
    },

    /** Deletes the batches of a lane that has nothing left to do. */
    async dropLane(lane: BatchLane): Promise<void> {
      await db.delete(batches).where(ofLane(lane));
    },
  };
}
