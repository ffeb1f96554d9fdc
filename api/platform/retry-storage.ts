import { backoffMs } from "./backoff.ts";
import type { Platform } from "./platform.ts";

/**
 * A transient fault passes within seconds; a longer outage is left to the queue's own retries. A call that hangs is
 * ended by D1 after half a minute ("storage operation exceeded timeout") and is no fault of a moment.
 */
const TRIES = 7;
const TRIED_FOR_MS = 10_000;

/**
 * First and longest wait between two tries through an outage. The last bounds how late an outage's end is seen, and, by
 * the eight statements of a commit, the queries of an invocation: 500 of 1,000 in ten minutes.
 */
const WAIT_MS = 500;
const WAIT_MAX_MS = 10_000;

/** What calls D1, R2 and Queues. */
const insistent = new Set<keyof Platform>([
  "runs",
  "boards",
  "datasets",
  "objects",
  "queues",
  "publications",
  "cleanup",
  "apiKeys",
  "usage",
  "idempotency",
  "drifts",
  "republications",
  "schedules",
  "webhooks",
  "deliveries",
]);

type Around = Pick<Platform, "now" | "sleep"> & { random: () => number };

/**
 * Storage or queues were away for longer than a call is tried again. Nothing is wrong with what was
 * asked of them, so whoever catches this may wait and ask the same later, and records nothing.
 */
export class Outage extends Error {
  constructor(cause: unknown) {
    super(`storage or queues were unreachable: ${cause}`, { cause });
  }
}

/**
 * The database has no room for what was to be written. Runs wait, as through an outage, until the cron job has made
 * some; new work is refused before, so that they find it.
 */
export class DatabaseFull extends Outage {}

/**
 * The same platform, or a part of it, whose calls to D1, R2 and Queues are tried again after a fault that may pass.
 * Every call behind them may come twice: rows and commits are applied once, messages are only hints. D1 itself retries
 * reads twice and writes never. What does not pass is an `Outage`.
 */
export function retryStorage<Some extends Partial<Platform>>(platform: Some, around: Around): Some {
  const entries = Object.entries(platform).map(([name, part]) => [
    name,
    insistent.has(name as keyof Platform) ? insisting(part as object, around) : part,
  ]);
  return Object.fromEntries(entries) as Some;
}

type Call = (...args: unknown[]) => Promise<unknown>;

function insisting<Part extends object>(part: Part, around: Around): Part {
  const calls = Object.entries(part).map(([name, call]) => {
    const line = { isAway: false };
    return [name, (...args: unknown[]) => insist(() => (call as Call)(...args), line, around)];
  });
  return Object.fromEntries(calls);
}

/** While a kind of call is known to be away, each is tried once: replies come soon, and what comes back is not overrun. */
async function insist<T>(call: () => Promise<T>, line: { isAway: boolean }, around: Around) {
  const begun = around.now();
  for (let tried = 1; ; tried++) {
    try {
      const value = await call();
      line.isAway = false;
      return value;
    } catch (error) {
      // developers.cloudflare.com, d1/observability/debug-d1; and what SQLite itself says at the limit of its pages.
      if (/Exceeded maximum DB size|SQLITE_FULL/i.test(String(error)))
        throw new DatabaseFull(error);
      if (!mayPass(error)) throw error;
      const isEnough = tried === TRIES || around.now() - begun >= TRIED_FOR_MS;
      if (line.isAway || isEnough) {
        line.isAway = true;
        throw new Outage(error);
      }
      await around.sleep(backoffMs(tried - 1, null, around.random) / 10);
    }
  }
}

/** Not what the call itself is to blame for: a constraint, a statement, an argument. */
function mayPass(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  return !/SQLITE_|D1_TYPE_ERROR|no such|syntax|missing object/i.test(String(error));
}

/** Repeats a call through an outage until `deadline`, Unix ms; then throws the `Outage`. Calls `hear` on each failure. */
export async function throughOutage<T>(
  platform: Pick<Platform, "now" | "sleep">,
  deadline: number,
  call: () => Promise<T>,
  hear = () => {},
): Promise<T> {
  for (let waitMs = WAIT_MS; ; waitMs = Math.min(WAIT_MAX_MS, 2 * waitMs)) {
    try {
      return await call();
    } catch (error) {
      const leftMs = deadline - platform.now();
      if (!(error instanceof Outage) || leftMs <= 0) throw error;
      hear();
      await platform.sleep(Math.min(waitMs, leftMs));
    }
  }
}

/**
 * Sends a message that is only a hint: what it asks for is in the database already, and where queues are away the cron
 * job sends it again. The caller's own work is done either way.
 */
export async function hint(sent: Promise<void>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof Outage)) throw error;
    console.warn(JSON.stringify({ event: "message-not-sent", error: String(error) }));
  });
}
