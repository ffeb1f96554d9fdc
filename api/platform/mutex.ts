import type { Platform } from "./platform.ts";

const LOOK_EVERY_MS = 100;
/** Longer than any such work takes, so that aborted work does not block others forever. */
const LONGEST_MS = 60_000;

let busyUntil = 0;

/**
 * Runs work that needs much memory while no other such work runs in this isolate: its invocations share 128 MB. Callers
 * poll, because an invocation must not await another one's promise.
 */
export async function withMutex<T>(
  { now, sleep }: Pick<Platform, "now" | "sleep">,
  work: () => Promise<T>,
): Promise<T> {
  while (now() < busyUntil) await sleep(LOOK_EVERY_MS);
  const until = now() + LONGEST_MS;
  busyUntil = until;
  try {
    return await work();
  } finally {
    if (busyUntil === until) busyUntil = 0;
  }
}
