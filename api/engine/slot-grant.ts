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
