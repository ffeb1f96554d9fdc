import { and, eq, inArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunRecord, RunStore } from "../pipeline/ports.ts";
import { countChange } from "./publication-store.ts";
import { leases, runs } from "./schema.ts";
import { refundQuota } from "./usage-store.ts";

type Status = RunRecord["status"];

/** Statuses from which a run can still go on. */
const live: Status[] = ["queued", "running", "paused"];

/**
 * Changes of a run's status. Each is one guarded update: whichever of two callers comes second
 * changes nothing. A run that ends forgets the secrets of its endpoint and gives back what it did
 * not get of its key's quota.
 */
export function runStatus(
  d1: D1Database,
): Pick<RunStore, "finish" | "fail" | "cancel" | "pause" | "resume"> {
  const db = drizzle(d1);
  const update = (runId: string, from: Status[], values: Partial<RunRecord>) =>
    db
      .update(runs)
      .set(values)
      .where(and(eq(runs.id, runId), inArray(runs.status, from)))
      .returning({ id: runs.id });
  const change = async (...args: Parameters<typeof update>) => (await update(...args)).length > 0;
  const end = async (runId: string, from: Status[], values: Partial<RunRecord>) => {
    const ended = { ...values, sealedSecrets: null, quotaKey: null };
    const [, , changed] = await db.batch([
      countChange(d1, runId, from),
      refundQuota(d1, runId, from),
      update(runId, from, ended),
      dropLeasesOfFinished(d1, runId),
    ]);
    return changed.length > 0;
  };
  return {
    finish: (runId, metrics, now) =>
      end(runId, ["queued", "running"], { status: "finished", finishedAt: now, metrics }),
    fail: (runId, reason, now) =>
      end(runId, live, { status: "failed", finishedAt: now, statusReason: reason }),
    cancel: (runId, now) => end(runId, live, { status: "cancelled", finishedAt: now }),
    pause: (runId, reason) =>
      change(runId, ["queued", "running"], { status: "paused", statusReason: reason }),
    resume: (runId, limit) =>
      change(runId, ["paused"], { status: "running", statusReason: null, ...limit }),
  };
}

/** Lanes of a cancelled or failed run keep theirs, to write what they have answered. */
const dropLeasesOfFinished = (d1: D1Database, runId: string) =>
  drizzle(d1)
    .delete(leases)
    .where(
      and(
        eq(leases.runId, runId),
        sql`EXISTS (SELECT 1 FROM runs WHERE id = ${runId} AND status = 'finished')`,
      ),
    );
