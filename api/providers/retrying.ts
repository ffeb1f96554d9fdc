import { backoffMs, LANE_WAIT_MAX_MS } from "../platform/backoff.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt } from "./request-once.ts";

/** What a client needs from outside: time, waiting, chance. */
export interface Surroundings {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  random: () => number;
}

/** How long and how often a request is tried. */
export interface AskLimits {
  timeoutMs: number;
  maxRetries: number;
  /** Whether the endpoint may have a request come back later, outside of the lane. */
  mayPostpone: boolean;
}

/** The HTTP calls that one request took. */
export interface Calls {
  attempts: number;
  retries: number;
  firstAt: number;
  lastAt: number;
}

/**
 * Counts of a request that has made no call yet.
 * @example noCalls(Date.now()).attempts // 0
 */
export const noCalls = (now: number): Calls => ({
  attempts: 0,
  retries: 0,
  firstAt: now,
  lastAt: now,
});

/** What tries of a request share. */
interface Tries {
  around: Surroundings;
  limits: AskLimits;
  memory: EndpointMemory;
  /** Changed as calls are made. */
  calls: Calls;
}

/**
 * Sends a request until it is answered: transient failures are retried with back-off, at most
 * `maxRetries` times; one that `mend` has seen to is sent again at once. An endpoint that wants a longer
 * wait than a lane should spend is left with its failure.
 */
export async function retrying<Value>(
  { around, limits, memory, calls }: Tries,
  send: () => Promise<Attempt<Value>>,
  mend: (failure: Failure) => boolean = () => false,
): Promise<Attempt<Value>> {
  for (let retries = 0; ; ) {
    calls.attempts += 1;
    calls.lastAt = around.now();
    const attempt = await send();
    if (attempt.ok) return attempt;
    const { failure } = attempt;
    if (isOverload(failure)) memory.overloads += 1;
    if (mend(failure)) continue;
    const isOver = retries >= limits.maxRetries || isTooLong(failure, limits);
    if (!failure.retryable || isOver) return attempt;
    await around.sleep(backoffMs(retries, failure.retryAfterMs, around.random));
    retries += 1;
    calls.retries += 1;
  }
}

const isOverload = ({ httpStatus }: Failure) => httpStatus === 429 || httpStatus === 503;

/** Whether the endpoint wants a longer wait than a lane should spend, and the request may come later. */
export const isTooLong = ({ retryable, retryAfterMs }: Failure, { mayPostpone }: AskLimits) =>
  mayPostpone && retryable && retryAfterMs !== null && retryAfterMs > LANE_WAIT_MAX_MS;
