import type { Lease } from "../pipeline/ports.ts";

/** Who wants which lane, and until when. */
export interface LeaseRequest {
  runId: string;
  lane: number;
  now: number;
  expiresAt: number;
}

interface LeaseRow {
  attempt: number;
  pending: string;
  claim_from: number;
  claim_to: number;
  units: number;
}

const TAKE = `
  INSERT INTO leases (run_id, lane, attempt, pending, expires_at)
  SELECT id, ?2, 1, '[]', ?4 FROM runs WHERE id = ?1 AND status IN ('queued', 'running')
  ON CONFLICT (run_id, lane) DO UPDATE
  SET attempt = attempt + 1, expires_at = ?4 WHERE leases.expires_at <= ?3
  RETURNING attempt, pending, claim_from, claim_to,
    (SELECT units FROM runs WHERE id = ?1) AS units`;

const START = `
  UPDATE runs SET status = 'running', started_at = ?2 WHERE id = ?1 AND status = 'queued'`;

/**
 * Takes a lane that nobody holds, together with the units that a lost holder left behind. The
 * attempt number grows with every taking and fences off the holder before.
 */
export async function takeLease(d1: D1Database, request: LeaseRequest): Promise<Lease | null> {
  const { runId, lane, now, expiresAt } = request;
  const [taken] = await d1.batch<LeaseRow>([
    d1.prepare(TAKE).bind(runId, lane, now, expiresAt),
    d1.prepare(START).bind(runId, now),
  ]);
  const row = taken?.results[0];
  if (!row) return null;
  const claimed = unitRange(row.claim_from, row.claim_to, row.units);
  return { attempt: row.attempt, units: [...(JSON.parse(row.pending) as number[]), ...claimed] };
}

/** The units from `from` up to, not including, `to`, none past the run's last. */
export function unitRange(from: number, to: number, units: number): number[] {
  const length = Math.max(0, Math.min(to, units) - from);
  return Array.from({ length }, (_, i) => from + i);
}
