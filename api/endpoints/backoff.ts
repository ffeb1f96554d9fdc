/** First wait, doubling with every retry. */
const FIRST_MS = 500;
/** Longest wait, also for an endpoint that asks for more. */
const MAX_MS = 30_000;

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
  if (retryAfterMs !== null) return Math.min(MAX_MS, retryAfterMs);
  const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** retry);
  return ceiling / 2 + (ceiling / 2) * random();
}
