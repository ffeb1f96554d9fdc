import { backoffMs, LANE_WAIT_MAX_MS, Postponed } from "../platform/backoff.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt } from "./request-once.ts";

/** External dependencies of a client: clock, delays, randomness, and how it sends requests, unless by `fetch`. */
export interface Surroundings {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  random: () => number;
  direct?: typeof fetch | undefined;
}

/** Timeout and number of attempts of a request. */
export interface AskLimits {
  timeoutMs: number;
  maxRetries: number;
  /** Whether the request may be postponed beyond the lane. */
  mayPostpone: boolean;
  /** Tells a request from equal ones of the run, in batches. Missing: equal requests have one reply. */
  name?: string;
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
export const noCalls = (now: number): Calls => ({
  attempts: 0,
  retries: 0,
  firstAt: now,
  lastAt: now,
});

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
export async function retrying<Value>(
  { around, limits, memory, calls }: Tries,
  send: () => Promise<Attempt<Value>>,
  mend: (failure: Failure) => boolean = () => false,
): Promise<Attempt<Value>> {
  for (let retries = 0; ; ) {
    if (memory.requests.sent >= memory.requests.most) return noneLeft(around, limits);
    calls.attempts += 1;
    memory.requests.sent += 1;
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

function noneLeft(around: Surroundings, { mayPostpone }: AskLimits): Attempt<never> {
  if (mayPostpone) throw new Postponed(around.now());
  const message = "answering takes more requests than one invocation of this service may send";
  const failure = { class: "network", message, retryable: false } as const;
  return { ok: false, failure: { ...failure, httpStatus: null, retryAfterMs: null, param: null } };
}

const isOverload = ({ httpStatus }: Failure) => [429, 503, 529].includes(httpStatus ?? 0);

/** Whether the endpoint requires a longer delay than a lane may wait, and the request may be postponed. */
export const isTooLong = ({ retryable, retryAfterMs }: Failure, { mayPostpone }: AskLimits) =>
  mayPostpone && retryable && retryAfterMs !== null && retryAfterMs > LANE_WAIT_MAX_MS;
