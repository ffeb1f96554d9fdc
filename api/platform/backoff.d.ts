/** Longest delay within a lane; for a longer one the request is postponed. */
export declare const LANE_WAIT_MAX_MS = 10000;
/** Longest delay that an endpoint is granted. After it the endpoint is called, and may ask for another. */
export declare const ENDPOINT_WAIT_MAX_MS = 3600000;
/**
 * Delay before a retry: what the endpoint asked for, else exponential, with jitter over the upper half so that lanes
 * don't retry together. `random` is in [0, 1).
 * Source: Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 * @example backoffMs(2, null, () => 0) // 1000
 */
export declare function backoffMs(retry: number, retryAfterMs: number | null, random: () => number): number;
/** No call before `until`, Unix ms, because of the endpoint or of an invocation's limits: execute the unit again then. */
export declare class Postponed extends Error {
    readonly until: number;
    constructor(until: number);
}
