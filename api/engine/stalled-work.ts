import type { StalledWork, WaitedOut } from "../runs/run-ports.ts";

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

/** Every unit without a row stands in a lease or past the cursor: here none does. */
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

/**
 * Brings waits of more than `mostMs` to an end, as rows of an earlier version have them, and gives the runs that have
 * waited since before `since` without an answer.
 */
export async function overdueWaits(
  d1: D1Database,
  now: number,
  mostMs: number,
  since: number,
): Promise<WaitedOut[]> {
  const [, , waited] = await d1.batch([
    ...BOUND_WAITS.map((sql) => d1.prepare(sql).bind(now, now + mostMs)),
    d1.prepare(WAITED_OUT).bind(since),
  ]);
  return (waited?.results ?? []) as WaitedOut[];
}

/**
 * Lanes that were free and had work before `before`, so that their message was lost or their holder
 * died, runs that wait to be summed up, and runs whose counters don't tell what their rows do.
 */
export async function stalledWork(d1: D1Database, before: number): Promise<StalledWork> {
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
}

/** Whether a lane of some run is free now and has work, which its message in the queue waits to do. */
export async function isLaneWaiting(
  d1: D1Database,
  phase: StalledWork["lanes"][number]["phase"],
  now: number,
): Promise<boolean> {
  const found = await d1.prepare(`${LANES} AND n.phase = ?2 LIMIT 1`).bind(now, phase).all();
  return found.results.length > 0;
}
