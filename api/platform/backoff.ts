/** First delay; it doubles with every retry. */
const FIRST_MS = 500;
/** Longest delay within a lane; for a longer one the request is postponed. */
export const LANE_WAIT_MAX_MS = 10_000;
/** Longest delay that an endpoint may ask for. Afterwards it is called again, and may ask for another. */
export const ENDPOINT_WAIT_MAX_MS = 3_600_000;

/**
 * Delay before a retry: what the endpoint asked for, else exponential, with jitter over the upper half so that lanes
 * don't retry together. `random` is in [0, 1).
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

/**
 * Thrown if no call may be made before `until` (Unix ms), because of the endpoint or the limits of an invocation. The
 * unit is executed again then.
 */
export class Postponed extends Error {
  readonly until: number;
  /** Whether the unit got replies that its next execution continues with. */
  hasReplies = false;
  constructor(until: number) {
    super("the call is postponed");
    this.until = until;
  }
}

/** Thrown if the reply comes with a batch that is not submitted or has not ended. */
export class Awaited extends Postponed {
  constructor() {
    super(Number.POSITIVE_INFINITY);
  }
}

/**
 * The results of `each` for all items, one after the other. If items wait for a batch, the error is thrown at the end,
 * so that requests of all items are in that batch.
 */
export async function forEachInBatch<Item, Value>(
  items: Iterable<Item>,
  each: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  let awaited: Awaited | null = null;
  for (const item of items) {
    try {
      values.push(await each(item));
    } catch (error) {
      if (!(error instanceof Awaited)) throw error;
      awaited = error;
    }
  }
  if (awaited !== null) throw awaited;
  return values;
}
