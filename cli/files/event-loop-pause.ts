import { setImmediate } from "node:timers/promises";

/** Time between two pauses, which is the longest delay of a signal. */
const EVERY_MS = 100;

/** Yields to the event loop, so that signals reach a process that is busy reading and scoring. */
export class EventLoopPause {
  #last = performance.now();

  /** Whether a pause is due; cheap enough to check for every line. */
  get isDue(): boolean {
    return performance.now() - this.#last >= EVERY_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#last = performance.now();
  }
}
