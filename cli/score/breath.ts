import { setImmediate } from "node:timers/promises";

/** Work between two breaths, ms: so long a signal waits at most. */
const EVERY_MS = 100;

/** Lets signals through to a process that otherwise reads and scores without a pause. */
export class Breath {
  #last = performance.now();

  /** Whether it is time to take one: cheap enough to ask for every line. */
  get isDue(): boolean {
    return performance.now() - this.#last >= EVERY_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#last = performance.now();
  }
}
