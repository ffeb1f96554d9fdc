import type { RunRecord } from "../runs/schema.ts";

/** Who wants which lane, and until when. */
export interface LeaseRequest {
  runId: string;
  lane: number;
  now: number;
  /** Requests that all runs together may have in flight at one endpoint. */
  endpointCap: number;
  expiresAt: number;
  /** Where no slot is free: when to ask again, at the earliest. */
  restUntil: number;
  holder: string;
  /** Units to begin with, for the first holder of the lane. */
  claim: number;
}

/**
 * The result of a lease request: taken, with the attempt that fences it, the units it holds, the requests it may
 * have in flight and how many holders vanished before; resting, since the endpoint can take no more just now; held by
 * another; or pointless, since the run has ended.
 */
export type LeaseTaking =
  | { kind: "taken"; attempt: number; slots: number; crashes: number; units: number[] }
  | { kind: "resting"; until: number }
  | { kind: "held" | "ended" };

/** What the cron job restarts. */
export interface StalledWork {
  lanes: { run: string; phase: RunRecord["phase"]; lane: number }[];
  complete: string[];
  miscounted: { id: string; retries: number }[];
}

/** A run whose endpoint, or a judge's, has asked for later calls for too long. */
export interface WaitedOut {
  id: string;
  phase: RunRecord["phase"];
  retries: number;
}

/**
 * Requests that a lane may have in flight, as an SQL expression: at most five, within what is left
 * of its run's limit and of the cap on all runs that call the same endpoint, of which each live run
 * gets an equal share, of whole requests: D1 binds numbers as reals, which divide with a remainder, and a grant decides
 * which units a lane claims. D1 is one thread, so grants add up exactly. Parameters: ?1 run, ?2 lane,
 * ?3 now, ?4 the cap.
 */
export const SLOT_GRANT = `
  max(0, min(5,
    (SELECT min(r.slot_limit, CASE WHEN r.endpoint_origin IS NULL THEN r.slot_limit ELSE
        max(1, CAST(?4 AS INTEGER) / (SELECT max(1, count(*)) FROM runs o WHERE o.status IN ('queued', 'running')
          AND o.endpoint_origin = r.endpoint_origin)) END)
      FROM runs r WHERE r.id = ?1)
    - (SELECT coalesce(sum(l.slots), 0) FROM leases l
        WHERE l.run_id = ?1 AND l.lane <> ?2 AND l.expires_at > ?3),
    CASE WHEN (SELECT endpoint_origin FROM runs WHERE id = ?1) IS NULL THEN 5 ELSE
      ?4 - (SELECT coalesce(sum(l.slots), 0) FROM leases l
        WHERE l.endpoint_origin = (SELECT endpoint_origin FROM runs WHERE id = ?1)
        AND NOT (l.run_id = ?1 AND l.lane = ?2) AND l.expires_at > ?3) END))`;

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
 * After so many holders in a row that vanished without finishing a sample, a lane is suspected: an isolate that dies
 * takes all of its lanes with it, and any of them may hold the unit that killed it.
 */
export const SUSPECT_AFTER = 2;

/**
 * Suspected lanes, of whatever run, work one after another: whose holder dies then is to blame, and one that finishes a
 * sample is suspected no more. Parameters as of `TAKE`.
 */
const WAITS_ITS_TURN = `
  (SELECT crashes + (slots > 0 AND holder <> ?5) FROM leases WHERE run_id = ?1 AND lane = ?2) >= ${SUSPECT_AFTER}
  AND EXISTS (SELECT 1 FROM leases WHERE crashes >= ${SUSPECT_AFTER} AND slots > 0 AND expires_at > ?3
    AND NOT (run_id = ?1 AND lane = ?2))`;

/**
 * A taking whose reply was lost comes again with the same holder. A lane whose endpoint can take no
 * call now is taken without slots until it is time to ask again, so that of many messages for it
 * one stays.
 */
const TAKE = `
  INSERT INTO leases (run_id, lane, attempt, holder, slots, endpoint_origin, pending, expires_at,
    claim_from, claim_to)
  SELECT id, ?2, 1, ?5, granted, endpoint_origin, '[]',
    CASE WHEN granted > 0 THEN ?6 ELSE max(not_before, ?7) END,
    cursor, cursor + CASE WHEN granted > 0 THEN ?8 ELSE 0 END
  FROM (SELECT *, CASE WHEN not_before > ?3 OR (${WAITS_ITS_TURN}) THEN 0
      ELSE ${SLOT_GRANT} END AS granted
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

/** The units from `from` up to, not including, `to`, none past the run's last. */
export function unitRange(from: number, to: number, units: number): number[] {
  const length = Math.max(0, Math.min(to, units) - from);
  return Array.from({ length }, (_, i) => from + i);
}

const LANES = `
  WITH RECURSIVE lane_numbers(run, phase, lane, lanes) AS (
    SELECT id, phase, 0, lanes FROM runs
    WHERE status IN ('queued', 'running') AND done < total AND created_at <= ?1 AND not_before <= ?1
    UNION ALL SELECT run, phase, lane + 1, lanes FROM lane_numbers WHERE lane + 1 < lanes)
  SELECT n.run, n.phase, n.lane FROM lane_numbers n
  JOIN runs r ON r.id = n.run
  LEFT JOIN leases l ON l.run_id = n.run AND l.lane = n.lane
  WHERE ((l.lane IS NULL AND r.cursor < r.units)
     OR (l.expires_at <= ?1 AND (r.cursor < r.units OR l.pending <> '[]'
         OR l.claim_from < min(l.claim_to, r.units))))`;

const COMPLETE = `
  SELECT id FROM runs WHERE status IN ('queued', 'running') AND done >= total LIMIT 100`;

/** Recounting reads all rows of a run, up to a hundred thousand. */
const MISCOUNTED_MAX = 5;

/** Every unit without a row is in a lease or past the cursor: here none does. */
const MISCOUNTED = `
  SELECT id, json_array_length(retries) AS retries FROM runs
  WHERE status IN ('queued', 'running') AND done < total AND cursor >= units
    AND created_at <= ?1 AND NOT EXISTS (
      SELECT 1 FROM leases WHERE run_id = runs.id AND (expires_at > ?1 OR pending <> '[]'
        OR claim_from < min(claim_to, runs.units)))
  LIMIT ${MISCOUNTED_MAX}`;

/** Parameters: ?1 now, ?2 the latest time that an endpoint may ask for. */
const BOUND_WAITS = [
  `UPDATE runs SET not_before = ?1 WHERE status IN ('queued', 'running') AND not_before > ?2`,
  `UPDATE leases SET expires_at = ?1 WHERE expires_at > ?2`,
];

/** What waits since before ?1 for a model's or a judge's endpoint that gave no answer in between. */
const WAITED_OUT = `
  SELECT id, phase, json_array_length(retries) AS retries FROM runs
  WHERE status IN ('queued', 'running') AND blocked_since <= ?1 LIMIT 100`;

/** Leases of lanes, and what waits for one. */
export function runLeases(d1: D1Database) {
  return {
    /**
     * Takes a lane that nobody holds, together with the units that a lost holder left behind, or as its first holder
     * with units of its own, and marks a queued run as running. The attempt number grows with every taking and fences
     * off the holder before.
     */
    async takeLease(request: LeaseRequest): Promise<LeaseTaking> {
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
    },

    /**
     * Ends waits of more than `mostMs` from `now`, which rows of earlier versions may have, and gives the runs that
     * have waited since `since` or longer without an answer in between: a hundred at most.
     */
    async overdueWaits(now: number, mostMs: number, since: number): Promise<WaitedOut[]> {
      const [, , waited] = await d1.batch([
        ...BOUND_WAITS.map((sql) => d1.prepare(sql).bind(now, now + mostMs)),
        d1.prepare(WAITED_OUT).bind(since),
      ]);
      return (waited?.results ?? []) as WaitedOut[];
    },

    /**
     * Lanes that were free and had work before `before`, so that their message was lost or their holder died,
     * complete runs, and runs that hold nothing to do though their counters say that samples are missing: a few of
     * these.
     */
    async stalled(before: number): Promise<StalledWork> {
      const [lanes, complete, miscounted] = await d1.batch([
        d1.prepare(`${LANES} LIMIT 500`).bind(before),
        d1.prepare(COMPLETE),
        d1.prepare(MISCOUNTED).bind(before),
      ]);
      return {
        lanes: (lanes?.results ?? []) as StalledWork["lanes"],
        complete: ((complete?.results ?? []) as { id: string }[]).map(({ id }) => id),
        miscounted: (miscounted?.results ?? []) as StalledWork["miscounted"],
      };
    },

    /**
     * Whether the holder of a lane of a run is to end its span: the run was paused or has ended, which a lane of slow
     * units would learn late from its commits; or a lane of some run in the same phase is free and has work, which its
     * message in the queue waits to do.
     */
    async isToYield({ id, phase }: Pick<RunRecord, "id" | "phase">, now: number): Promise<boolean> {
      const ended = "SELECT id, phase, 0 FROM runs WHERE id = ?3 AND status <> 'running'";
      const sql = `${LANES} AND n.phase = ?2 UNION ALL ${ended} LIMIT 1`;
      return (await d1.prepare(sql).bind(now, phase, id).all()).results.length > 0;
    },
  };
}
