const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Waits before the second attempt and each one after it. Source: Standard Webhooks 1.0.0, "Example retry schedule". */
const waitsMs: readonly number[] = [
  5 * SECOND_MS,
  ...[5, 30].map((minutes) => minutes * MINUTE_MS),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Attempts that an event has: the first, and one after each wait. */
export const MAX_ATTEMPTS = waitsMs.length + 1;

/** Waits are longer by up to this share, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * When an event is sent again after its `attempts`-th attempt failed, Unix ms: by the schedule, later where the
 * receiver asked for it, within a day. Null after the last. `random` is in [0, 1).
 * @example nextAttemptAt(1, 0, null, 0) // 5000
 */
export function nextAttemptAt(
  attempts: number,
  now: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const waitMs = waitsMs[attempts - 1];
  if (waitMs === undefined) return null;
  const askedMs = Math.min(DAY_MS, retryAfterMs ?? 0);
  return now + Math.round(Math.max(askedMs, waitMs) * (1 + JITTER * random));
}
