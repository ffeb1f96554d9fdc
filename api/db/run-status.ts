import { and, eq, inArray } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunRecord, RunStore } from "../pipeline/ports.ts";
import { runs } from "./schema.ts";

type Status = RunRecord["status"];

/** Statuses from which a run can still go on. */
const live: Status[] = ["queued", "running", "paused"];

/**
 * Changes of a run's status. Each is one guarded update: whichever of two callers comes second
 * changes nothing. A run that ends forgets the secrets of its endpoint.
 */
export function runStatus(
  d1: D1Database,
): Pick<RunStore, "finish" | "fail" | "cancel" | "pause" | "resume"> {
  const db = drizzle(d1);
  const change = async (runId: string, from: Status[], values: Partial<RunRecord>) => {
    const changed = await db
      .update(runs)
      .set(values)
      .where(and(eq(runs.id, runId), inArray(runs.status, from)))
      .returning({ id: runs.id });
    return changed.length > 0;
  };
  const ended = (status: Status, now: number) => ({ status, finishedAt: now, sealedSecrets: null });
  return {
    finish: (runId, metrics, now) =>
      change(runId, ["queued", "running"], { ...ended("finished", now), metrics }),
    fail: (runId, reason, now) =>
      change(runId, live, { ...ended("failed", now), statusReason: reason }),
    cancel: (runId, now) => change(runId, live, ended("cancelled", now)),
    pause: (runId, reason) =>
      change(runId, ["queued", "running"], { status: "paused", statusReason: reason }),
    resume: (runId) => change(runId, ["paused"], { status: "running", statusReason: null }),
  };
}
