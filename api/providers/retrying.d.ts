import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt } from "./request-once.ts";
/** External dependencies of a client: clock, delays, randomness. */
export interface Surroundings {
    now: () => number;
    sleep: (ms: number) => Promise<void>;
    random: () => number;
}
/** Timeout and number of attempts of a request. */
export interface AskLimits {
    timeoutMs: number;
    maxRetries: number;
    /** Whether the request may be postponed beyond the lane. */
    mayPostpone: boolean;
}
/** The HTTP calls of one request. */
export interface Calls {
    attempts: number;
    retries: number;
    firstAt: number;
    lastAt: number;
}
/**
 * Counts before the first call.
 * @example noCalls(Date.now()).attempts // 0
 */
export declare const noCalls: (now: number) => Calls;
/** Shared by the attempts of a request. */
interface Tries {
    around: Surroundings;
    limits: AskLimits;
    memory: EndpointMemory;
    /** Updated with each call. */
    calls: Calls;
}
/**
 * Sends a request until it is answered. Retries transient failures with backoff, at most `maxRetries` times; after a
 * change by `mend` at once. Returns the failure if the endpoint requires a longer delay than a lane may wait. Throws
 * `Postponed` if the invocation may send no more requests: another one continues.
 */
export declare function retrying<Value>({ around, limits, memory, calls }: Tries, send: () => Promise<Attempt<Value>>, mend?: (failure: Failure) => boolean): Promise<Attempt<Value>>;
/** Whether the endpoint requires a longer delay than a lane may wait, and the request may be postponed. */
export declare const isTooLong: ({ retryable, retryAfterMs }: Failure, { mayPostpone }: AskLimits) => boolean;
export {};
