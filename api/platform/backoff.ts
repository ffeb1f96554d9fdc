/** First wait, doubling with every retry. */
const FIRST_MS = 500;
/** Longest wait within a lane; an endpoint that asks for more has the request postponed. */
export const LANE_WAIT_MAX_MS = 10_000;
/** The longest wait that an endpoint is granted: one that is not back by then is asked, and may ask for another. */
export const ENDPOINT_WAIT_MAX_MS = 3_600_000;

/**
 * Wait before a retry: what the endpoint asked for, else exponential with full jitter over its
 * upper half, so that lanes don't come back together. `random` is in [0, 1).
 * Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 * @example backoffMs(2, null, () => 0) // 1000
 */
export function backoffMs(
  retry: number,
  retryAfterMs: number | null,
  random: () => number,
): number {
  if (retryAfterMs !== null) return Math.min(LANE_WAIT_MAX_MS, retryAfterMs);
  const ceiling = Math.min(LANE_WAIT_MAX_MS, FIRST_MS * 2 ** retry);
  return ceiling / 2 + (ceiling / 2) * random();
}

/** An endpoint wants no call before `until`, Unix ms: the unit is to be carried out again then. */
export class Postponed extends Error {
  readonly until: number;
  constructor(until: number) {
    super("the endpoint asked to be called later");
    this.until = until;
  }
}
