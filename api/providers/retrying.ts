import { backoffMs, LANE_WAIT_MAX_MS, Postponed } from "../platform/backoff.ts";
import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt } from "./request-once.ts";

/** Delays start where the retries of a lane end, and double up to two minutes: most limits are per minute. */
const RATE_WAIT_MIN_MS = 5_000;
const RATE_WAIT_MAX_MS = 120_000;
/**
 * After this time a rate limit counts as permanent: some providers answer permanent conditions, such as a spent budget,
 * as too many requests.
 */
const RATE_BLOCKED_MAX_MS = 300_000;

/** External dependencies of a client: clock, delays, randomness, and how it sends requests (default: `fetch`). */
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
  /**
   * How long the endpoint has already postponed requests without an answer, ms; null if this request may not be
   * postponed beyond the lane.
   */
  blockedMs: number | null;
  /** Distinguishes a request from equal ones of the run, in batches. Missing: equal requests share one reply. */
  name?: string;
}

export interface Calls {
  attempts: number;
  retries: number;
  firstAt: number;
  lastAt: number;
}

/** Initial counts, before the first call. @example noCalls(Date.now()).attempts // 0 */
export const noCalls = (now: number): Calls => ({
  attempts: 0,
  retries: 0,
  firstAt: now,
  lastAt: now,
});

/** State shared by the attempts of a request. */
interface Tries {
  around: Surroundings;
  limits: AskLimits;
  memory: EndpointMemory;
  calls: Calls;
}

/**
 * Sends a request until it is answered. Retries transient failures with backoff, at most `maxRetries` times, and at
 * once after a change by `mend`. Returns the failure if the endpoint requires a longer delay than a lane may wait: see
 * `postponedBy()`. Throws `Postponed` if the invocation may send no more requests; another invocation continues.
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
    const isOver = retries >= limits.maxRetries || asksForLong(failure, limits);
    if (!failure.retryable || isOver) return attempt;
    await around.sleep(backoffMs(retries, failure.retryAfterMs, around.random));
    retries += 1;
    calls.retries += 1;
  }
}

function noneLeft(around: Surroundings, { blockedMs }: AskLimits): Attempt<never> {
  if (blockedMs !== null) throw new Postponed(around.now());
  const message = "answering takes more requests than one invocation of this service may send";
  const failure = { class: "network", message, retryable: false } as const;
  return { ok: false, failure: { ...failure, httpStatus: null, retryAfterMs: null, param: null } };
}

const isOverload = ({ httpStatus }: Failure) => [429, 503, 529].includes(httpStatus ?? 0);

/** Whether the endpoint requires a longer delay than a lane may wait, and the request may be postponed. */
const asksForLong = ({ retryable, retryAfterMs }: Failure, { blockedMs }: AskLimits) =>
  blockedMs !== null && retryable && (retryAfterMs ?? 0) > LANE_WAIT_MAX_MS;

/**
 * How long to postpone a request after its last attempt failed, ms; null if the failure is its answer. An endpoint may
 * ask for a delay. If it only reports too many requests, and still does after the retries, it is left alone for as long
 * as it has been blocked, at least `RATE_WAIT_MIN_MS`; after `RATE_BLOCKED_MAX_MS` the limit counts as permanent.
 */
export function postponedBy(failure: Failure | null, limits: AskLimits): number | null {
  const { blockedMs, maxRetries } = limits;
  if (failure === null) return null;
  if (asksForLong(failure, limits)) return failure.retryAfterMs;
  const isBusy = failure.class === "rate_limited" && failure.retryable && maxRetries > 0;
  if (!isBusy || blockedMs === null || blockedMs >= RATE_BLOCKED_MAX_MS) return null;
  return Math.min(RATE_WAIT_MAX_MS, Math.max(RATE_WAIT_MIN_MS, blockedMs));
}
