import type { RunStore } from "../runs/run-ports.ts";
import type { JudgingStart } from "./phase-start.ts";
import { PHASE_START } from "./phase-start-sql.ts";
import { countersOfRows } from "./run-counters.ts";

/** The run as it was read, so that of two callers the second changes nothing. */
const AS_READ = `id = ?1 AND phase = 'answering' AND judging IS NOT NULL AND done >= total
  AND status IN ('queued', 'running') AND json_array_length(retries) = ?2`;

const DROP_LEASES = `
  DELETE FROM leases WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

/** Attempts go on from the time in ms, which fences off a lane that still asks the model. */
const GIVE_UNITS = `
  INSERT INTO leases (run_id, lane, attempt, holder, endpoint_origin, pending, expires_at)
  SELECT id, ?3, ?4, 'judging', ?6, ?5, 0 FROM runs WHERE ${AS_READ}`;

/** The model is not asked any more, so its secrets are not needed. */
const BEGIN = `
  UPDATE runs SET ${PHASE_START("?3")}, not_before = 0, blocked_since = NULL, sealed_secrets = NULL,
    ${countersOfRows("'judging'")}
  WHERE ${AS_READ} RETURNING id`;

/** Has the answers of a run judged, all of which are in; false where that began already. */
export async function beginJudging(
  d1: D1Database,
  { run: { id, retries }, now, pending, start }: JudgingStart,
): ReturnType<RunStore["beginJudging"]> {
  const read = [id, retries.length] as const;
  const results = await d1.batch([
    d1.prepare(DROP_LEASES).bind(...read),
    ...pending.map((units, lane) =>
      d1.prepare(GIVE_UNITS).bind(...read, lane, now, JSON.stringify(units), start.origin),
    ),
    d1.prepare(BEGIN).bind(...read, JSON.stringify(start)),
  ]);
  return (results.at(-1)?.results.length ?? 0) > 0;
}
