import { backoffMs } from "./backoff.ts";
import type { Platform } from "./platform.ts";

/** A transient fault passes within seconds; a longer outage is left to the queue's own retries. */
const TRIES = 7;

/** Between two tries through an outage, each of which has insisted for a second or two itself. */
const WAIT_MS = 500;

/** What calls D1, R2 and Queues. */
const insistent = new Set<keyof Platform>([
  "runs",
  "boards",
  "datasets",
  "objects",
  "queues",
  "publications",
  "cleanup",
  "usage",
  "idempotency",
  "drifts",
  "republications",
  "schedules",
  "webhooks",
  "deliveries",
]);

type Around = Pick<Platform, "sleep"> & { random: () => number };

/**
 * Storage or queues were away for longer than a call is tried again. Nothing is wrong with what was
 * asked of them, so whoever catches this may wait and ask the same later, and records nothing.
 */
export class Outage extends Error {
  constructor(cause: unknown) {
    super(`storage or queues were away: ${cause}`, { cause });
  }
}

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
  const calls = Object.entries(part).map(([name, call]) => [
    name,
    (...args: unknown[]) => insist(() => (call as Call)(...args), around),
  ]);
  return Object.fromEntries(calls);
}

async function insist<T>(call: () => Promise<T>, { sleep, random }: Around): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call();
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (tried === TRIES) throw new Outage(error);
      await sleep(backoffMs(tried - 1, null, random) / 10);
    }
  }
}

/** Not what the call itself is to blame for: a constraint, a statement, an argument. */
function mayPass(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  return !/SQLITE_|D1_TYPE_ERROR|no such|syntax|missing object/i.test(String(error));
}

/** Repeats a call through an outage until `deadline`, Unix ms; then throws the `Outage`. */
export async function throughOutage<T>(
  platform: Pick<Platform, "now" | "sleep">,
  deadline: number,
  call: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Outage) || platform.now() >= deadline) throw error;
      await platform.sleep(WAIT_MS);
    }
  }
}
