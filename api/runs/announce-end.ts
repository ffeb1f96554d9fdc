import type { RunStatus } from "#shared/contracts/run.ts";
import { LIVE } from "../platform/sql.ts";

/** Parameters: ?1 the run, ?2 statuses it may have, ?3 its retries where it was read before, ?4 the type, ?5 now. */
const ENDS = `
  runs.id = ?1 AND canary IS NULL AND status IN (SELECT value FROM json_each(?2))
  AND (?3 IS NULL OR json_array_length(retries) = ?3)
  AND EXISTS (SELECT 1 FROM webhooks w, json_each(w.events) AS wanted
    WHERE w.owner = runs.owner AND w.status = 'active' AND wanted.value = ?4)`;

/** A run ends once a start: the ids of what is told of it are those of its ends. */
const END = `'evt_' || substr(id, instr(id, '_') + 1) || '_' || json_array_length(retries)`;

const INSERT = `
  INSERT INTO webhook_events (id, type, owner, subject, occurred_at)`;

const RUN_ENDS = `${INSERT}
  SELECT ${END}, ?4, owner, id, ?5 FROM runs WHERE ${ENDS}
  ON CONFLICT DO NOTHING`;

const SUBMISSION_ENDS = `${INSERT}
  SELECT ${END} || '_submission', ?4, owner, submission_id, ?5 FROM runs WHERE ${ENDS}
    AND NOT EXISTS (SELECT 1 FROM runs other WHERE other.submission_id = runs.submission_id
      AND other.id <> runs.id AND other.status IN ${LIVE})
  ON CONFLICT DO NOTHING`;

/**
 * Keeps for webhooks that a run changes its status from one of these to its end, and that its submission
 * ends with it: in one batch with the change and before it, so that neither is there without the other.
 */
export function announceEnd(
  d1: D1Database,
  run: { id: string; from: readonly RunStatus[]; retries: number | null },
  status: "finished" | "failed" | "cancelled",
  now: number,
): D1PreparedStatement[] {
  const which = [run.id, JSON.stringify(run.from), run.retries];
  return [
    d1.prepare(RUN_ENDS).bind(...which, `run.${status}`, now),
    d1.prepare(SUBMISSION_ENDS).bind(...which, "submission.finished", now),
  ];
}
