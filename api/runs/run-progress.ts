import { ENDPOINT_WAIT_MAX_MS } from "../platform/backoff.ts";
import type { RunRecord } from "./schema.ts";

/** Seconds between two polls: no burden at the least, no news missed for long at the most. */
const POLL_MIN_SECONDS = 1;
const POLL_MAX_SECONDS = 30;
/** While nothing tells how long the run takes. */
const POLL_FIRST_SECONDS = 2;
/** A poll costs this share of the time that is left. */
const POLLS_LEFT = 20;

type Progress = Pick<RunRecord, "status" | "startedAt" | "idleMs" | "total" | "done" | "notBefore">;

/** Until when the endpoint wants no call, Unix ms, within an hour; null where it may be called. */
export function waitingUntil(run: Pick<Progress, "status" | "notBefore">, now: number) {
  const isWaiting = run.notBefore > now && (run.status === "running" || run.status === "queued");
  return isWaiting ? Math.min(run.notBefore, now + ENDPOINT_WAIT_MAX_MS) : null;
}

/**
 * When a run will be done if it continues at the pace it has had since its start, pauses included;
 * Unix ms, null where that says nothing. Rounded to a twentieth of the time that is left, so that
 * polls between two samples see the same.
 */
export function estimatedFinishAt(run: Progress, now: number): number | null {
  const { status, startedAt, total, done } = run;
  if (status !== "running" || startedAt === null || done === 0 || done >= total) return null;
  const wait = Math.min(ENDPOINT_WAIT_MAX_MS, Math.max(0, run.notBefore - now));
  const elapsedMs = now - startedAt - run.idleMs;
  const remainingMs = (elapsedMs / done) * (total - done) + wait;
  const stepMs = 1000 * 2 ** Math.max(0, Math.floor(Math.log2(remainingMs / 1000 / POLLS_LEFT)));
  return Math.ceil((now + remainingMs) / stepMs) * stepMs;
}

/** Seconds after which asking again makes sense; null for a run that has ended. */
export function pollAfterSeconds(
  run: Progress & Pick<RunRecord, "finishedAt">,
  now: number,
): number | null {
  if (run.finishedAt !== null) return null;
  if (run.status === "paused") return POLL_MAX_SECONDS;
  const until = waitingUntil(run, now);
  const finish = estimatedFinishAt(run, now);
  if (until === null && finish === null) return POLL_FIRST_SECONDS;
  const seconds =
    until === null ? ((finish ?? now) - now) / 1000 / POLLS_LEFT : (until - now) / 1000;
  return Math.max(POLL_MIN_SECONDS, Math.min(POLL_MAX_SECONDS, Math.ceil(seconds)));
}
