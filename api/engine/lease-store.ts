import type { RunRecord } from "../runs/schema.ts";
import { SEAT } from "./seat-store.ts";

export interface LeaseRequest {
  runId: string;
  lane: number;
  /** Determines the queue whose consumer takes the lane. */
  place: number;
  now: number;
  /** Maximum requests in flight at one endpoint, over all runs. */
  endpointCap: number;
  expiresAt: number;
  /** If no slot is free: the earliest time to ask again. */
  restUntil: number;
  holder: string;
  /** Number of units to claim, for the first holder of the lane. */
  claim: number;
}

/** A lease with its fencing attempt, held units, number of request slots, and how many previous holders crashed. */
export interface LaneTaken {
  kind: "taken";
  attempt: number;
  slots: number;
  crashes: number;
  units: number[];
}

/**
 * The result of a lease request. `resting`: the endpoint accepts no requests now. `waiting`: all slots are in use,
 * and the lane gets a seat when one is free. `held`: another holder has the lane. `ended`: the run has ended.
 */
export type LeaseTaking =
  | LaneTaken
  | { kind: "resting"; until: number }
  | { kind: "waiting" | "held" | "ended" };

/** What the cron job restarts. */
export interface StalledWork {
  lanes: { run: string; phase: RunRecord["phase"]; lane: number; place: number }[];
  complete: string[];
  miscounted: { id: string; retries: number }[];
}

/** A run whose endpoint or judge has postponed calls for too long. */
export interface WaitedOut {
  id: string;
  phase: RunRecord["phase"];
  retries: number;
}

/** Requests that a lane keeps in flight: an invocation can wait for six replies at once. */
export const LANE_REQUESTS = 5;

/**
 * SQL expression for a lane's request slots: at most `most`, within the rest of its run's limit and of the endpoint's
 * cap; seats of runs that were paused or have ended are free. D1 is single-threaded, so the sum is exact. Parameters:
 * ?1 run, ?2 lane, ?3 now, ?4 the cap.
 */
export const slotGrant = (most: number) => `
  max(0, min(${most},
    (SELECT slot_limit FROM runs WHERE id = ?1)
    - (SELECT coalesce(sum(l.slots), 0) FROM leases l
        WHERE l.run_id = ?1 AND l.lane <> ?2 AND l.expires_at > ?3),
    CASE WHEN (SELECT endpoint_origin FROM runs WHERE id = ?1) IS NULL THEN ${most} ELSE
      ?4 - (SELECT coalesce(sum(l.slots), 0) FROM leases l
        WHERE l.endpoint_origin = (SELECT endpoint_origin FROM runs WHERE id = ?1)
        AND NOT (l.run_id = ?1 AND l.lane = ?2) AND l.expires_at > ?3 AND (l.holder NOT LIKE '${SEAT}%'
          OR (SELECT status FROM runs WHERE id = l.run_id) IN ('queued', 'running'))) END))`;

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
 * After this many consecutive holders that crashed without finishing a sample, a lane is suspected: a dying isolate
 * takes all its lanes with it, and any of them may hold the unit that caused it.
 */
export const SUSPECT_AFTER = 2;

/** A lease whose holder did not release it; a seat has no holder yet. */
const DIED = `(slots > 0 AND holder NOT LIKE '${SEAT}%')`;

/**
 * Suspected lanes of all runs work one at a time, so that a crash identifies the lane. Finishing a sample ends the
 * suspicion. Parameters as in `TAKE`.
 */
const WAITS_ITS_TURN = `
  (SELECT crashes + (holder <> ?5 AND ${DIED}) FROM leases WHERE run_id = ?1 AND lane = ?2) >= ${SUSPECT_AFTER}
  AND EXISTS (SELECT 1 FROM leases WHERE crashes >= ${SUSPECT_AFTER} AND slots > 0 AND expires_at > ?3
    AND NOT (run_id = ?1 AND lane = ?2))`;

/**
 * Takes a lane that has a seat or is free; after a lost reply, the same holder may take it again. If the endpoint
 * accepts no calls now, the lane gets no slots until it is time to ask again, so that one of its messages remains. If
 * all slots are in use, it is left at once, to wait for a seat. In both cases the attempt stays the same: what crashed
 * holders have saved is found by the latest attempts.
 */
const TAKE = (most: number) => `
  INSERT INTO leases (run_id, lane, attempt, holder, slots, endpoint_origin, place, pending, expires_at,
    claim_from, claim_to)
  SELECT id, ?2, granted > 0, ?5, granted, endpoint_origin, ?9, '[]',
    CASE WHEN granted > 0 THEN ?6 WHEN rests THEN max(not_before, ?7) ELSE ?3 END,
    cursor, cursor + CASE WHEN granted > 0 THEN ?8 ELSE 0 END
  FROM (SELECT *, CASE WHEN rests THEN 0 ELSE ${slotGrant(most)} END AS granted
    FROM (SELECT *, not_before > ?3 OR coalesce((${WAITS_ITS_TURN}), 0) AS rests
      FROM runs WHERE id = ?1 AND status IN ('queued', 'running')))
  WHERE true
  ON CONFLICT (run_id, lane) DO UPDATE
  SET attempt = attempt + (excluded.slots > 0 AND NOT (holder = ?5 AND slots > 0)), commits = commits * (excluded.slots = 0),
    holder = ?5, slots = excluded.slots, place = excluded.place,
    crashes = crashes + (holder <> ?5 AND ${DIED}),
    claim_from = CASE attempt WHEN 0 THEN excluded.claim_from ELSE claim_from END,
    claim_to = CASE attempt WHEN 0 THEN excluded.claim_to ELSE claim_to END,
    expires_at = excluded.expires_at
  WHERE leases.expires_at <= ?3 OR leases.holder = ?5 OR leases.holder LIKE '${SEAT}%'`;

/** A run that was paused while queued is `running` when it is resumed, and also starts here. */
const START = `
  UPDATE runs SET status = 'running', started_at = coalesce(started_at, ?2)
  WHERE id = ?1 AND (status = 'queued' OR (status = 'running' AND started_at IS NULL))
    AND EXISTS (SELECT 1 FROM leases WHERE run_id = ?1 AND lane = ?3 AND holder = ?4)`;

/** The first units of a lane. Moves the cursor once, even if the request is repeated. */
const CLAIM = `
  UPDATE runs SET cursor = l.claim_to
  FROM (SELECT claim_from, claim_to FROM leases WHERE run_id = ?1 AND lane = ?2 AND holder = ?3
    AND attempt = 1 AND commits = 0) l
  WHERE id = ?1 AND cursor = l.claim_from AND l.claim_from < l.claim_to`;

const RUN = `SELECT units, status FROM runs WHERE id = ?1`;
const LEASE = `SELECT * FROM leases WHERE run_id = ?1 AND lane = ?2`;

/** Units `from` (included) to `to` (excluded), limited by the run's last. */
export function unitRange(from: number, to: number, units: number): number[] {
  const length = Math.max(0, Math.min(to, units) - from);
  return Array.from({ length }, (_, i) => from + i);
}

const LANES = `
  SELECT r.id AS run, r.phase, l.lane, l.place FROM runs r JOIN leases l ON l.run_id = r.id
  WHERE r.status IN ('queued', 'running') AND r.done < r.total AND r.not_before <= ?1
    AND l.expires_at <= ?1 AND ${DIED} LIMIT 500`;

const COMPLETE = `
  SELECT id FROM runs WHERE status IN ('queued', 'running') AND done >= total LIMIT 100`;

/** A recount reads all rows of a run, up to a hundred thousand. */
const MISCOUNTED_MAX = 5;

/** Runs without work but with missing samples. Every unit without a row should be in a lease or beyond the cursor. */
const MISCOUNTED = `
  SELECT id, json_array_length(retries) AS retries FROM runs
  WHERE status IN ('queued', 'running') AND done < total AND cursor >= units
    AND created_at <= ?1 AND NOT EXISTS (
      SELECT 1 FROM leases WHERE run_id = runs.id AND (expires_at > ?1 OR pending <> '[]'
        OR claim_from < min(claim_to, runs.units)))
  LIMIT ${MISCOUNTED_MAX}`;

/**
 * Runs that have waited since ?1 or earlier for an endpoint of a model or judge, without an answer in between. Lanes
 * end runs that wait for a runner, after a longer time.
 */
const WAITED_OUT = `
  SELECT id, phase, json_array_length(retries) AS retries FROM runs
  WHERE status IN ('queued', 'running') AND blocked_since <= ?1
    AND NOT (phase = 'answering' AND endpoint ->> 'runner' IS NOT NULL)
  LIMIT 100`;

/** Leases of lanes, and queries for work without one. */
export function runLeases(d1: D1Database, laneRequests: number) {
  const take = TAKE(laneRequests);
  return {
    /**
     * Takes a free lane: with the units that a crashed holder left, or, for the first holder, with new units. Marks a
     * queued run as running. Each attempt fences off earlier holders.
     */
    async takeLease(request: LeaseRequest): Promise<LeaseTaking> {
      const { runId, lane, place, now, endpointCap, holder, expiresAt, restUntil, claim } = request;
      const results = await d1.batch([
        d1
          .prepare(take)
          .bind(runId, lane, now, endpointCap, holder, expiresAt, restUntil, claim, place),
        d1.prepare(START).bind(runId, now, lane, holder),
        d1.prepare(CLAIM).bind(runId, lane, holder),
        d1.prepare(RUN).bind(runId),
        d1.prepare(LEASE).bind(runId, lane),
      ]);
      const run = results[3]?.results[0] as RunRow | undefined;
      const lease = results[4]?.results[0] as LeaseRow | undefined;
      if (run?.status !== "running" && run?.status !== "queued") return { kind: "ended" };
      if (lease?.holder !== holder) return { kind: "held" };
      if (lease.slots === 0 && lease.expires_at <= now) return { kind: "waiting" };
      if (lease.slots === 0) return { kind: "resting", until: lease.expires_at };
      const claimed = unitRange(lease.claim_from, lease.claim_to, run.units);
      const { attempt, slots, crashes } = lease;
      const units = [...(JSON.parse(lease.pending) as number[]), ...claimed];
      return { kind: "taken", attempt, slots, crashes, units };
    },

    /** Up to a hundred runs that have waited since `since` without an answer. */
    async overdueWaits(since: number): Promise<WaitedOut[]> {
      const { results } = await d1.prepare(WAITED_OUT).bind(since).all<WaitedOut>();
      return results;
    },

    /**
     * Lanes whose holder has not renewed its lease since `before`; complete runs; and a few runs without work whose
     * counters show missing samples.
     */
    async stalled(before: number): Promise<StalledWork> {
      const [lanes, complete, miscounted] = await d1.batch([
        d1.prepare(LANES).bind(before),
        d1.prepare(COMPLETE),
        d1.prepare(MISCOUNTED).bind(before),
      ]);
      return {
        lanes: (lanes?.results ?? []) as StalledWork["lanes"],
        complete: ((complete?.results ?? []) as { id: string }[]).map(({ id }) => id),
        miscounted: (miscounted?.results ?? []) as StalledWork["miscounted"],
      };
    },
  };
}
