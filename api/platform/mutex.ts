import type { Platform } from "./platform.ts";

const LOOK_EVERY_MS = 100;
/** Longer than any of it takes, so that work that was cut off blocks nobody for good. */
const LONGEST_MS = 60_000;

let busyUntil = 0;

/**
 * Does work that takes much memory while no other such work is under way in this isolate: invocations
 * share its 128 MB. They look again and again, since a promise of one must not be awaited by another.
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
