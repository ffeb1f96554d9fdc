import type { LeaseRequest, LeaseTaking } from "../runs/run-ports.ts";
import { SLOT_GRANT } from "./slot-grant.ts";

interface LeaseRow {
  attempt: number;
  holder: string;
  expires_at: number;
  slots: number;
  crashes: number;
  pending: string;
  claim_from: number;
  claim_to: number;
}

interface RunRow {
  units: number;
  status: string;
}

/**
 * A taking whose reply was lost comes again with the same holder. A lane whose endpoint bears no
 * call now is taken without slots until it is time to ask again, so that of many messages for it
 * one stays.
 */
const TAKE = `
  INSERT INTO leases (run_id, lane, attempt, holder, slots, endpoint_origin, pending, expires_at,
    claim_from, claim_to)
  SELECT id, ?2, 1, ?5, granted, endpoint_origin, '[]',
    CASE WHEN granted > 0 THEN ?6 ELSE max(not_before, ?7) END,
    cursor, cursor + CASE WHEN granted > 0 THEN ?8 ELSE 0 END
  FROM (SELECT *, CASE WHEN not_before > ?3 THEN 0 ELSE ${SLOT_GRANT} END AS granted
    FROM runs WHERE id = ?1 AND status IN ('queued', 'running'))
  WHERE true
  ON CONFLICT (run_id, lane) DO UPDATE
  SET attempt = attempt + 1, holder = ?5, commits = 0, slots = excluded.slots,
    crashes = crashes + (slots > 0 AND holder <> ?5),
    expires_at = excluded.expires_at
  WHERE leases.expires_at <= ?3 OR leases.holder = ?5`;

/** A run that was paused before it began is running when it is resumed, and starts here, too. */
const START = `
  UPDATE runs SET status = 'running', started_at = coalesce(started_at, ?2)
  WHERE id = ?1 AND (status = 'queued' OR (status = 'running' AND started_at IS NULL))`;

/** What the first holder of a lane begins with: it moves the cursor once, however often its taking comes. */
const CLAIM = `
  UPDATE runs SET cursor = l.claim_to
  FROM (SELECT claim_from, claim_to FROM leases WHERE run_id = ?1 AND lane = ?2 AND holder = ?3
    AND attempt = 1 AND commits = 0) l
  WHERE id = ?1 AND cursor = l.claim_from AND l.claim_from < l.claim_to`;

const RUN = `SELECT units, status FROM runs WHERE id = ?1`;
const LEASE = `SELECT * FROM leases WHERE run_id = ?1 AND lane = ?2`;

/**
 * Takes a lane that nobody holds, together with the units that a lost holder left behind, or as its first holder
 * with units of its own. The
 * attempt number grows with every taking and fences off the holder before.
 */
export async function takeLease(d1: D1Database, request: LeaseRequest): Promise<LeaseTaking> {
  const { runId, lane, now, endpointCap, holder, expiresAt, restUntil, claim } = request;
  const results = await d1.batch([
    d1.prepare(TAKE).bind(runId, lane, now, endpointCap, holder, expiresAt, restUntil, claim),
    d1.prepare(START).bind(runId, now),
    d1.prepare(CLAIM).bind(runId, lane, holder),
    d1.prepare(RUN).bind(runId),
    d1.prepare(LEASE).bind(runId, lane),
  ]);
  const run = results[3]?.results[0] as RunRow | undefined;
  const lease = results[4]?.results[0] as LeaseRow | undefined;
  if (run?.status !== "running") return { kind: "ended" };
  if (lease?.holder !== holder) return { kind: "held" };
  if (lease.slots === 0) return { kind: "resting", until: lease.expires_at };
  const claimed = unitRange(lease.claim_from, lease.claim_to, run.units);
  const { attempt, slots, crashes } = lease;
  const units = [...(JSON.parse(lease.pending) as number[]), ...claimed];
  return { kind: "taken", attempt, slots, crashes, units };
}

/** The units from `from` up to, not including, `to`, none past the run's last. */
export function unitRange(from: number, to: number, units: number): number[] {
  const length = Math.max(0, Math.min(to, units) - from);
  return Array.from({ length }, (_, i) => from + i);
}
