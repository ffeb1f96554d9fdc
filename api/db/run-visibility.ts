import { and, isNull, type SQL } from "drizzle-orm";
import type { RunStore } from "../pipeline/ports.ts";
import { runs } from "./schema.ts";

/** Runs that anybody may read, as a condition of a query. */
export const isInView = (): SQL | undefined =>
  and(isNull(runs.deletedAt), isNull(runs.hiddenReason));

const HIDE = `UPDATE runs SET hidden_reason = ?2 WHERE id = ?1 AND deleted_at IS NULL`;

/** The same removal may be sent again. */
const REMOVE = `
  UPDATE runs SET deleted_at = ?2, sealed_secrets = NULL, finished_at = coalesce(finished_at, ?2),
    status = CASE WHEN status IN ('queued', 'running', 'paused') THEN 'cancelled' ELSE status END
  WHERE id = ?1 AND (deleted_at IS NULL OR deleted_at = ?2)`;

/** changes() is that of the statement before. */
const COUNT_CHANGE = `
  INSERT INTO publications (target, changes) SELECT 'site', 1 WHERE changes() > 0
  ON CONFLICT (target) DO UPDATE SET changes = changes + 1`;

/** Made older than the run, a board is ranked anew even when the message about it is lost. */
const OUTDATE_BOARD = `
  UPDATE boards SET updated_at = min(updated_at,
    (SELECT finished_at - 1 FROM runs WHERE id = ?1))
  WHERE id = (SELECT board_id FROM runs WHERE id = ?1 AND finished_at IS NOT NULL)`;

/** Takes runs out of view and back; what is published of them is marked as outdated with it. */
export function runVisibility(d1: D1Database): Pick<RunStore, "hide" | "remove"> {
  const change = async (sql: string, runId: string, value: string | number | null) => {
    const [changed] = await d1.batch([
      d1.prepare(sql).bind(runId, value),
      d1.prepare(COUNT_CHANGE),
      d1.prepare(OUTDATE_BOARD).bind(runId),
    ]);
    return (changed?.meta.changes ?? 0) > 0;
  };
  return {
    hide: (runId, reason) => change(HIDE, runId, reason),
    remove: (runId, now) => change(REMOVE, runId, now),
  };
}
