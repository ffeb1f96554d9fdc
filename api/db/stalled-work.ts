const LANES = `
  WITH RECURSIVE lane_numbers(run, lane, lanes) AS (
    SELECT id, 0, lanes FROM runs
    WHERE status IN ('queued', 'running') AND done < total AND created_at <= ?1 AND not_before <= ?1
    UNION ALL SELECT run, lane + 1, lanes FROM lane_numbers WHERE lane + 1 < lanes)
  SELECT n.run, n.lane FROM lane_numbers n
  JOIN runs r ON r.id = n.run
  LEFT JOIN leases l ON l.run_id = n.run AND l.lane = n.lane
  WHERE (l.lane IS NULL AND r.cursor < r.units)
     OR (l.expires_at <= ?1 AND (r.cursor < r.units OR l.pending <> '[]'
         OR l.claim_from < min(l.claim_to, r.units)))
  LIMIT 500`;

const COMPLETE = `
  SELECT id FROM runs WHERE status IN ('queued', 'running') AND done >= total LIMIT 100`;

/**
 * Lanes that were free and had work before `before`, so that their message was lost or their holder
 * died, and runs that wait to be summed up.
 */
export async function stalledWork(d1: D1Database, before: number) {
  const [lanes, complete] = await d1.batch([d1.prepare(LANES).bind(before), d1.prepare(COMPLETE)]);
  return {
    lanes: (lanes?.results ?? []) as { run: string; lane: number }[],
    complete: ((complete?.results ?? []) as { id: string }[]).map((row) => row.id),
  };
}
