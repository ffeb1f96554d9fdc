import { freeMemory } from "./lru-cache.ts";
import type { Platform } from "./platform.ts";

const LOOK_EVERY_MS = 100;
/** Aborted work blocks others no longer than this. */
const LONGEST_MS = 60_000;
/** Interval at which running work renews its turn. The timers of an aborted invocation stop, so it no longer renews. */
const RENEWED_MS = 5_000;
/** Waiting work that has not polled for this long was aborted. */
const ABSENT_MS = 5_000;

interface Turn {
  /** Share of the memory, 0 to 1. */
  share: number;
  hasBegun: boolean;
  /** Time (Unix ms) after which it counts as aborted. */
  until: number;
}

/** Turns in order of arrival. */
let turns: readonly Turn[] = [];

/**
 * Runs work that needs much memory, once other such work in this isolate leaves enough: invocations share 128 MB. Work
 * that needs all of it starts with empty caches. First come, first served. Callers poll, because an invocation must not
 * await another one's promise. `share`: of the memory for such work, 0 to 1.
 */
export async function withMemory<T>(
  { now, sleep }: Pick<Platform, "now" | "sleep">,
  share: number,
  work: () => Promise<T>,
): Promise<T> {
  const turn: Turn = { share: Math.min(1, share), hasBegun: false, until: 0 };
  let renewal: ReturnType<typeof setInterval> | undefined;
  try {
    for (;;) {
      turn.until = now() + ABSENT_MS;
      turns = turns.filter(({ until }) => until > now());
      if (!turns.includes(turn)) turns = [...turns, turn];
      if (mayBegin(turn)) break;
      await sleep(LOOK_EVERY_MS);
    }
    turn.hasBegun = true;
    const renew = () => {
      turn.until = now() + LONGEST_MS;
    };
    renew();
    renewal = setInterval(renew, RENEWED_MS);
    if (turn.share === 1) freeMemory();
    return await work();
  } finally {
    clearInterval(renewal);
    turns = turns.filter((one) => one !== turn);
  }
}

function mayBegin(turn: Turn): boolean {
  const before = turns.slice(0, turns.indexOf(turn));
  const used = before.reduce((sum, { share }) => sum + share, 0);
  return before.every(({ hasBegun }) => hasBegun) && used + turn.share <= 1;
}
