import type { RunRetry } from "../pipeline/ports.ts";
import { COUNTERS_OF_ROWS } from "./run-counters.ts";

/** Rows named in one statement: well within the size of a parameter. */
const ROWS_PER_STATEMENT = 50_000;

/**
 * The run as it was read: of two retries the second finds it open and changes nothing. A run whose
 * answers are being scored anew waits for that. Parameters: ?1 run, ?2 its end.
 */
const AS_READ = `id = ?1 AND finished_at = ?2 AND status IN ('finished', 'failed')
  AND deleted_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM runs child WHERE child.status IN ('queued', 'running') AND child.parent_id = ?1)`;

const DROP_ROWS = `
  DELETE FROM samples WHERE run_id = ?1 AND seq IN (SELECT value FROM json_each(?3))
    AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

const DROP_LEASES = `
  DELETE FROM leases WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

/**
 * Attempts go on from the time in ms, which is above every earlier one: it fences off a lane of a
 * failed run that is still at work, and keeps the keys of new answers apart from those of old ones.
 */
const GIVE_UNITS = `
  INSERT INTO leases (run_id, lane, attempt, holder, endpoint_origin, pending, expires_at)
  SELECT id, ?3, ?4, ?5, endpoint_origin, ?6, 0 FROM runs WHERE ${AS_READ}`;

const REOPEN = `
  UPDATE runs SET status = 'running', status_reason = NULL, metrics = NULL, finished_at = NULL,
    started_at = coalesce(started_at, ?3),
    idle_ms = idle_ms + CASE WHEN started_at IS NULL THEN 0 ELSE ?3 - finished_at END,
    not_before = 0, blocked_since = NULL, sealed_secrets = ?4,
    had_secrets = max(had_secrets, ?4 IS NOT NULL), notes = json_insert(notes, '$[#]', ?5),
    ${COUNTERS_OF_ROWS}
  WHERE ${AS_READ}`;

const APPLIED = `SELECT 1 FROM leases WHERE run_id = ?1 AND holder = ?2`;

/** Opens an ended run again for some of its units: all of it, or nothing where it has changed. */
export async function retryRun(d1: D1Database, retry: RunRetry): Promise<boolean> {
  const { id, runId, endedAt, now, seqs, pending } = retry;
  const results = await d1.batch([
    ...chunked(seqs).map((rows) =>
      d1.prepare(DROP_ROWS).bind(runId, endedAt, JSON.stringify(rows)),
    ),
    d1.prepare(DROP_LEASES).bind(runId, endedAt),
    ...pending.map((units, lane) =>
      d1.prepare(GIVE_UNITS).bind(runId, endedAt, lane, now, id, JSON.stringify(units)),
    ),
    d1.prepare(REOPEN).bind(runId, endedAt, now, retry.sealedSecrets, retry.note),
    d1.prepare(APPLIED).bind(runId, id),
  ]);
  return (results.at(-1)?.results.length ?? 0) > 0;
}

function chunked(seqs: readonly number[]): (readonly number[])[] {
  const count = Math.ceil(seqs.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, i) =>
    seqs.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
  );
}
