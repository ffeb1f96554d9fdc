import { backoffMs } from "./backoff.ts";
import { logError } from "./log.ts";
import type { Platform } from "./platform.ts";

/**
 * Number of attempts: transient faults pass within seconds. Longer outages are left to the queue's retries. D1 ends a
 * hanging call after half a minute ("storage operation exceeded timeout"), which is not transient.
 */
const TRIES = 7;
const TRIED_FOR_MS = 10_000;

/**
 * First and longest delay during an outage. The longest one limits how late its end is noticed, and the queries used:
 * at eight statements per commit, 500 of an invocation's 1,000 in ten minutes.
 */
const WAIT_MS = 500;
const WAIT_MAX_MS = 10_000;

/** Adapters that call D1, R2 or Queues. */
const insistent = new Set<keyof Platform>([
  "runs",
  "runners",
  "batches",
  "boards",
  "datasets",
  "objects",
  "queues",
  "publications",
  "cleanup",
  "apiKeys",
  "accounts",
  "organisations",
  "usage",
  "audit",
  "overview",
  "spend",
  "reports",
  "bans",
  "alerts",
  "idempotency",
  "drifts",
  "judges",
  "republications",
  "parities",
  "schedules",
  "webhooks",
  "deliveries",
]);

type Around = Pick<Platform, "now" | "sleep"> & { random: () => number };

/**
 * Storage or queues were unavailable for longer than calls are retried. The request itself is valid: callers may wait
 * and repeat it, and must not record a failure.
 */
export class Outage extends Error {
  constructor(cause: unknown) {
    super(`storage or queues were unreachable: ${cause}`, { cause });
  }
}

/**
 * The database is full. Runs wait, as in an outage, until the cron job has freed space. New work is refused earlier, so
 * that running work still finds space.
 */
export class DatabaseFull extends Outage {}

/**
 * The same platform, or a part of it, whose calls to D1, R2 and Queues retry transient faults. Calls may therefore be
 * executed twice: rows and commits are applied once, messages are only hints. D1 itself retries reads twice and writes
 * never. Other faults throw `Outage`.
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

/** During an outage each call is tried once, so that replies come quickly and recovering storage is not overloaded. */
async function insist<T>(call: () => Promise<T>, line: { isAway: boolean }, around: Around) {
  const begun = around.now();
  for (let tried = 1; ; tried++) {
    try {
      const value = await call();
      line.isAway = false;
      return value;
    } catch (error) {
      // Source: developers.cloudflare.com, d1/observability/debug-d1; the second text is SQLite's own.
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

/** False for faults of the call itself: a constraint, a statement, an argument. */
function mayPass(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  return !/SQLITE_|D1_TYPE_ERROR|no such|syntax|missing object/i.test(String(error));
}

/**
 * Repeats a call during an outage until `deadline`, Unix ms; then throws the `Outage`. Calls `hear` on each failure.
 */
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
 * Sends a message that is only a hint: its task is already in the database, and if queues are unavailable, the cron job
 * sends it again. The caller's own work is done either way.
 */
export async function hint(sent: Promise<void>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof Outage)) throw error;
    logError("message-not-sent", error);
  });
}
