import type { RunRecord } from "../runs/schema.ts";

/** A lane that may start: its request slots are reserved until a consumer takes the lane, or the seat expires. */
export interface Seat {
  run: string;
  lane: number;
  /** The lowest number that no active lane has, including lanes of ended runs. */
  place: number;
}

/** Limits on the lanes of a phase: concurrent lanes, and requests in flight at one endpoint. */
export interface SeatLimits {
  phase: RunRecord["phase"];
  now: number;
  lanesMax: number;
  endpointCap: number;
}

/** A lease whose holder starts with this is a seat: a reservation that no consumer has taken yet. */
export const SEAT = "seat_";

/** SQL: nobody uses the lease. A holder's expired lease counts as used, because the holder may be alive. */
const UNUSED = `(l.expires_at <= ?1 AND (l.slots = 0 OR l.holder LIKE '${SEAT}%'))`;

/** SQL for who pays for a run: its account, or the person who created it unless it has quotas of its own. */
const PAYER = `coalesce((SELECT created_by FROM accounts a WHERE a.owner = r.owner AND a.quotas IS NULL), r.owner)`;

const HAS_UNITS = `(l.pending <> '[]' OR l.claim_from < min(l.claim_to, r.units))`;

/**
 * The lanes that wait for a seat, each with the slots `given` that its endpoint has left. Accounts take turns:
 * `turn` is the number of seats that the account would have with this one; ties go to the account whose last run
 * started the longest ago. Within an account, older runs come first. Fresh lanes (without units of their own) get a
 * seat only if enough units are unclaimed. Of each account's runs at an endpoint, at most as many are read as lanes can
 * be active, using the index `runs_waiting` for one account and endpoint after the other; at most as many are
 * considered as seats are free, or one if the endpoint has no slot. Parameters: ?1 now, ?2 phase, ?3 cap, ?4 concurrent
 * lanes; `each`: requests of a lane.
 */
const WAITING = "status IN ('queued', 'running') AND phase = ?2";
const ORIGIN = "CASE WHEN endpoint_origin IS NULL THEN '' ELSE endpoint_origin END";
const LINE = (each: number) => `
  WITH RECURSIVE held AS MATERIALIZED (
    SELECT r.id, ${PAYER} AS payer, r.created_at, l.lane, l.slots, l.holder, l.expires_at, l.place,
      l.endpoint_origin AS origin
    FROM leases l INDEXED BY leases_in_use CROSS JOIN runs r ON r.id = l.run_id
    WHERE r.status IN ('queued', 'running') AND r.phase = ?2 AND l.expires_at > ?1 AND l.slots > 0),
  of_run AS MATERIALIZED (SELECT id, sum(slots) AS slots FROM held GROUP BY id),
  of_payer AS MATERIALIZED (SELECT payer, count(*) AS seats FROM held GROUP BY payer),
  owners (owner) AS (
    SELECT (SELECT owner FROM runs WHERE ${WAITING} ORDER BY owner LIMIT 1)
    UNION ALL
    SELECT (SELECT owner FROM runs WHERE ${WAITING} AND owner > o.owner ORDER BY owner LIMIT 1)
    FROM owners o WHERE o.owner IS NOT NULL),
  origins (owner, origin) AS (
    SELECT owner, (SELECT ${ORIGIN} FROM runs r WHERE ${WAITING} AND r.owner = o.owner
      ORDER BY r.owner, ${ORIGIN} LIMIT 1) FROM owners o
    UNION ALL
    SELECT owner, (SELECT ${ORIGIN} FROM runs r WHERE ${WAITING} AND r.owner = p.owner AND ${ORIGIN} > p.origin
      ORDER BY r.owner, ${ORIGIN} LIMIT 1)
    FROM origins p WHERE p.origin IS NOT NULL),
  near (id) AS MATERIALIZED (
    SELECT r.id FROM origins p CROSS JOIN runs r ON r.id IN (
      SELECT id FROM runs q WHERE ${WAITING} AND q.owner = p.owner AND ${ORIGIN} = p.origin
        AND done < total AND not_before <= ?1
      ORDER BY created_at, q.id LIMIT max(?4, (SELECT count(*) + 1 FROM held)))
    WHERE p.origin IS NOT NULL),
  served AS MATERIALIZED (
    SELECT ${PAYER} AS payer, max(coalesce((SELECT started_at FROM runs s WHERE s.owner = r.owner
      ORDER BY started_at DESC LIMIT 1), 0)) AS at
    FROM owners r WHERE r.owner IS NOT NULL GROUP BY 1),
  of_origin AS MATERIALIZED (SELECT origin, sum(slots) AS busy FROM held GROUP BY origin),
  live AS MATERIALIZED (
    SELECT r.id, r.owner, ${PAYER} AS payer, created_at, endpoint_origin AS origin, lanes, units, units - cursor AS fresh,
      slot_limit - coalesce(h.slots, 0) AS room,
      lanes - (SELECT count(*) FROM leases l WHERE l.run_id = r.id AND NOT ${UNUSED}) AS unused,
      EXISTS (SELECT 1 FROM leases l WHERE l.run_id = r.id AND ${UNUSED} AND ${HAS_UNITS}) AS is_left
    FROM near CROSS JOIN runs r ON r.id = near.id LEFT JOIN of_run h ON h.id = r.id),
  first AS MATERIALIZED (
    SELECT v.*, row_number() OVER (PARTITION BY v.owner, v.origin ORDER BY created_at, v.id) AS place,
      coalesce(o.seats, 0) AS seats, coalesce(e.busy, 0) AS busy, s.at AS served_at
    FROM live v JOIN served s ON s.payer = v.payer LEFT JOIN of_payer o ON o.payer = v.payer LEFT JOIN of_origin e ON e.origin = v.origin
    WHERE room > 0 AND (is_left OR (fresh > 0 AND unused > 0))),
  numbers(lane) AS (
    SELECT 0 UNION ALL SELECT lane + 1 FROM numbers WHERE lane + 1 < (SELECT max(lanes) FROM first)),
  free AS (
    SELECT r.*, n.lane, coalesce(${HAS_UNITS}, 0) AS has_units
    FROM first r JOIN numbers n ON n.lane < r.lanes
    LEFT JOIN leases l ON l.run_id = r.id AND l.lane = n.lane
    WHERE r.place <= CASE WHEN origin IS NULL OR busy < ?3 THEN (SELECT max(1, ?4 - count(*)) FROM held) ELSE 1 END
      AND (l.lane IS NULL OR ${UNUSED})),
  numbered AS (
    SELECT *, row_number() OVER run - 1 AS nth, sum(NOT has_units) OVER run - 1 AS fresh_before
    FROM free WHERE has_units OR fresh > 0 WINDOW run AS (PARTITION BY id ORDER BY has_units DESC, lane)),
  turns AS (
    SELECT *, min(${each}, room - ${each} * nth) AS wanted,
      seats + row_number() OVER (PARTITION BY payer ORDER BY created_at, id, nth) AS turn
    FROM numbered WHERE room > ${each} * nth AND (has_units OR fresh > ${each} * fresh_before)),
  line AS MATERIALIZED (
    SELECT *, CASE WHEN origin IS NULL THEN wanted ELSE min(wanted, CAST(?3 AS INTEGER) - busy
      - coalesce(sum(wanted) OVER (PARTITION BY origin ORDER BY turn, served_at, created_at, id, nth
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) END AS given
    FROM turns)`;

/**
 * A lane keeps its consumer until its last request ends, so its place stays occupied even after its run has ended.
 * Further parameters: ?5 holder, ?6 when the seats expire.
 */
const GIVE_SEATS = (each: number) => `
  INSERT INTO leases (run_id, lane, attempt, holder, slots, endpoint_origin, place, pending, expires_at)
  ${LINE(each)},
  given AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY turn, served_at, created_at, id, nth) AS number FROM line WHERE given > 0
    ORDER BY number LIMIT max(0, ?4 - (SELECT count(*) FROM held))),
  occupied AS MATERIALIZED (
    SELECT DISTINCT l.place FROM leases l INDEXED BY leases_in_use CROSS JOIN runs r ON r.id = l.run_id
    WHERE r.phase = ?2 AND l.slots > 0 AND l.expires_at > ?1),
  places(place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places
    WHERE place + 1 < (SELECT count(*) FROM occupied) + (SELECT count(*) FROM given)),
  empty AS MATERIALIZED (
    SELECT place, row_number() OVER (ORDER BY place) AS number FROM places
    WHERE place NOT IN (SELECT place FROM occupied))
  SELECT g.id, g.lane, 0, ?5, g.given, g.origin, e.place, '[]', ?6 FROM given g JOIN empty e USING (number)
  WHERE true
  ON CONFLICT (run_id, lane) DO UPDATE
  SET holder = ?5, slots = excluded.slots, endpoint_origin = excluded.endpoint_origin, place = excluded.place,
    expires_at = ?6`;

const SEATS = `SELECT run_id AS run, lane, place FROM leases WHERE holder = ?1`;

/**
 * A lane yields if its run is no longer active, or if an account with fewer seats waits for the seat that this lane
 * would free: any seat, or one at the same endpoint. An account with a single seat never has more than another. As many
 * of the account's lanes yield as lanes wait, the youngest first. A lane also yields if a seat of its queue waits for a
 * consumer, because the queue adds consumers when batches end. Further parameters: ?5 run, ?6 lane, ?7 expiry of the
 * seats that have waited too long, ?8 number of queues.
 */
const IS_TO_YIELD = (each: number) => `${LINE(each)},
  me AS (SELECT r.id, ${PAYER} AS payer, r.endpoint_origin AS origin, r.created_at,
      (SELECT count(*) FROM held h WHERE h.payer = ${PAYER}) AS seats
    FROM runs r WHERE r.id = ?5),
  younger AS (SELECT h.origin FROM held h, me WHERE h.payer = me.payer
    AND (h.created_at, h.id, h.lane) > (me.created_at, me.id, ?6)),
  waiting AS (SELECT l.origin, l.given FROM line l, me WHERE l.payer <> me.payer AND l.turn < me.seats)
  SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?5 AND status <> 'running')
    OR ((SELECT seats FROM me) > 1
      AND ((SELECT count(*) FROM younger) < (SELECT count(*) FROM waiting WHERE given > 0)
        OR (SELECT count(*) FROM younger y, me WHERE y.origin = me.origin)
          < (SELECT count(*) FROM waiting w, me WHERE w.given <= 0 AND w.origin = me.origin)))
    OR EXISTS (SELECT 1 FROM held h WHERE h.holder LIKE '${SEAT}%' AND h.expires_at <= ?7
      AND h.place % ?8 = (SELECT place % ?8 FROM leases WHERE run_id = ?5 AND lane = ?6)) AS yields`;

const BEFORE = `
  SELECT count(*) AS before FROM (SELECT 1 FROM runs, (SELECT owner, phase AS its, ${ORIGIN} AS origin,
      created_at AS at, id AS run FROM runs WHERE id = ?1) me
    WHERE status IN ('queued', 'running') AND phase = me.its AND runs.owner = me.owner AND ${ORIGIN} = me.origin
      AND (created_at, id) < (me.at, me.run) LIMIT ?2)`;

/** Seats, which determine the lanes that work next. */
export function runSeats(d1: D1Database, laneRequests: number) {
  const [give, yields] = [GIVE_SEATS(laneRequests), IS_TO_YIELD(laneRequests)];
  return {
    /**
     * Assigns all free seats to the lanes that are next in line, and returns them. Repeated with the same holder after
     * a lost reply, it also returns those assigned before.
     */
    async giveSeats(limits: SeatLimits, holder: string, expiresAt: number): Promise<Seat[]> {
      const { now, phase, endpointCap, lanesMax } = limits;
      const [, seats] = await d1.batch<Seat>([
        d1.prepare(give).bind(now, phase, endpointCap, lanesMax, holder, expiresAt),
        d1.prepare(SEATS).bind(holder),
      ]);
      return seats?.results ?? [];
    },

    /** Number of older active runs of the run's account at its endpoint, at most `most`. */
    async runsBefore(runId: string, most: number): Promise<number> {
      return (await d1.prepare(BEFORE).bind(runId, most).first<number>("before")) ?? 0;
    },

    /** Whether a lane must end its span: seats that expire by `overdueBy` have waited too long for a consumer. */
    async isToYield(
      { now, phase, endpointCap, lanesMax }: SeatLimits,
      { run, lane }: Pick<Seat, "run" | "lane">,
      { overdueBy, queues }: { overdueBy: number; queues: number },
    ): Promise<boolean> {
      const found = await d1
        .prepare(yields)
        .bind(now, phase, endpointCap, lanesMax, run, lane, overdueBy, queues)
        .first<number>("yields");
      return found === 1;
    },
  };
}
