import type { LeaseRequest, LeaseTaking } from "../pipeline/ports.ts";
import { SLOT_GRANT } from "./slot-grant.ts";

interface LeaseRow {
  attempt: number;
  holder: string;
  expires_at: number;
  slots: number;
  pending: string;
  claim_from: number;
  claim_to: number;
}

interface RunRow {
  units: number;
  status: string;
  not_before: number;
}

/** A taking whose reply was lost comes again with the same holder. */
const TAKE = `
  INSERT INTO leases (run_id, lane, attempt, holder, slots, endpoint_origin, pending, expires_at)
  SELECT id, ?2, 1, ?6, ${SLOT_GRANT}, endpoint_origin, '[]', ?5 FROM runs
  WHERE id = ?1 AND status IN ('queued', 'running') AND not_before <= ?3 AND ${SLOT_GRANT} > 0
  ON CONFLICT (run_id, lane) DO UPDATE
  SET attempt = attempt + 1, holder = ?6, commits = 0, slots = excluded.slots, expires_at = ?5
  WHERE leases.expires_at <= ?3 OR leases.holder = ?6`;

const START = `
  UPDATE runs SET status = 'running', started_at = coalesce(started_at, ?2)
  WHERE id = ?1 AND status = 'queued'`;

const RUN = `SELECT units, status, not_before FROM runs WHERE id = ?1`;
const LEASE = `SELECT * FROM leases WHERE run_id = ?1 AND lane = ?2`;

/**
 * Takes a lane that nobody holds, together with the units that a lost holder left behind. The
 * attempt number grows with every taking and fences off the holder before.
 */
export async function takeLease(d1: D1Database, request: LeaseRequest): Promise<LeaseTaking> {
  const { runId, lane, now, endpointCap, expiresAt, holder } = request;
  const results = await d1.batch([
    d1.prepare(TAKE).bind(runId, lane, now, endpointCap, expiresAt, holder),
    d1.prepare(START).bind(runId, now),
    d1.prepare(RUN).bind(runId),
    d1.prepare(LEASE).bind(runId, lane),
  ]);
  const run = results[2]?.results[0] as RunRow | undefined;
  const lease = results[3]?.results[0] as LeaseRow | undefined;
  if (run?.status !== "running") return { kind: "ended" };
  if (lease?.holder === holder) {
    const claimed = unitRange(lease.claim_from, lease.claim_to, run.units);
    const units = [...(JSON.parse(lease.pending) as number[]), ...claimed];
    return { kind: "taken", attempt: lease.attempt, slots: lease.slots, units };
  }
  if (lease && lease.expires_at > now) return { kind: "held" };
  return { kind: "waiting", notBefore: run.not_before };
}

/** The units from `from` up to, not including, `to`, none past the run's last. */
export function unitRange(from: number, to: number, units: number): number[] {
  const length = Math.max(0, Math.min(to, units) - from);
  return Array.from({ length }, (_, i) => from + i);
}
