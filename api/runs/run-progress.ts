import { ENDPOINT_WAIT_MAX_MS } from "../platform/backoff.ts";
import { isBatched, type RunRecord } from "./schema.ts";

/** Limits for seconds between two polls: the minimum bounds the load, the maximum the delay. */
const POLL_MIN_SECONDS = 1;
const POLL_MAX_SECONDS = 30;
/** Used while there is no estimate. */
const POLL_FIRST_SECONDS = 2;
/** Used while batches are open: they take at least minutes. */
const POLL_BATCHES_SECONDS = 10;
/** Fraction of the remaining time between two polls. */
const POLLS_LEFT = 20;
/**
 * Fraction of the elapsed time between two polls. The pace of a run's first samples or judgments is a poor estimate,
 * and must not make a client notice the end late.
 */
const POLLS_SO_FAR = 5;

type Progress = Pick<
  RunRecord,
  "status" | "startedAt" | "idleMs" | "total" | "done" | "notBefore"
> &
  Parameters<typeof isBatched>[0];

/** Time before which the endpoint accepts no call, Unix ms, at most an hour ahead; null if it may be called. */
export function waitingUntil(run: Pick<Progress, "status" | "notBefore">, now: number) {
  const isWaiting = run.notBefore > now && (run.status === "running" || run.status === "queued");
  return isWaiting ? Math.min(run.notBefore, now + ENDPOINT_WAIT_MAX_MS) : null;
}

/**
 * Estimated end of a run at its pace since the start, including pauses; Unix ms, null if unknown. Rounded to a
 * twentieth of the remaining time, so that polls between two samples get the same value.
 */
export function estimatedFinishAt(run: Progress, now: number): number | null {
  const { status, startedAt, total, done } = run;
  // The provider decides when a batch ends.
  if (isBatched(run)) return null;
  if (status !== "running" || startedAt === null || done === 0 || done >= total) return null;
  const wait = Math.min(ENDPOINT_WAIT_MAX_MS, Math.max(0, run.notBefore - now));
  const elapsedMs = now - startedAt - run.idleMs;
  const remainingMs = (elapsedMs / done) * (total - done) + wait;
  const stepMs = 1000 * 2 ** Math.max(0, Math.floor(Math.log2(remainingMs / 1000 / POLLS_LEFT)));
  return Math.ceil((now + remainingMs) / stepMs) * stepMs;
}

/** Recommended seconds until the next poll; null for an ended run. */
export function pollAfterSeconds(
  run: Progress & Pick<RunRecord, "finishedAt">,
  now: number,
): number | null {
  if (run.finishedAt !== null) return null;
  if (run.status === "paused") return POLL_MAX_SECONDS;
  const until = waitingUntil(run, now);
  const finish = estimatedFinishAt(run, now);
  if (isBatched(run)) return POLL_BATCHES_SECONDS;
  if (until === null && finish === null) return POLL_FIRST_SECONDS;
  const soFarMs = now - (run.startedAt ?? now) - run.idleMs;
  const leftMs = (finish ?? now) - now;
  const seconds =
    until === null
      ? Math.min(leftMs / POLLS_LEFT, soFarMs / POLLS_SO_FAR) / 1000
      : (until - now) / 1000;
  return Math.max(POLL_MIN_SECONDS, Math.min(POLL_MAX_SECONDS, Math.ceil(seconds)));
}
