import type { Ports } from "../platform/ports.ts";

/** Between two tries, each of which has insisted for a second or two itself. */
const WAIT_MS = 500;

/**
 * Storage or queues were away for longer than a call is tried again. Nothing is wrong with what was
 * asked of them, so whoever catches this may wait and ask the same later, and records nothing.
 */
export class Outage extends Error {
  constructor(cause: unknown) {
    super(`storage or queues were away: ${cause}`, { cause });
  }
}

/** Repeats a call through an outage until `deadline`, Unix ms; then throws the `Outage`. */
export async function throughOutage<T>(
  ports: Pick<Ports, "now" | "sleep">,
  deadline: number,
  call: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Outage) || ports.now() >= deadline) throw error;
      await ports.sleep(WAIT_MS);
    }
  }
}

/** An endpoint wants no call before `until`, Unix ms: the unit is to be carried out again then. */
export class Postponed extends Error {
  readonly until: number;
  constructor(until: number) {
    super("the endpoint asked for a later call");
    this.until = until;
  }
}
