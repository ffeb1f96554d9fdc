import { type Draws, drawsFrom } from "../../../simulator/draws.ts";
import type { Part } from "../../support/worker/intercepted-bindings.ts";
import { calm, type FaultSettings, type Note } from "../fault-settings.ts";

/** The platform's messages for transient faults. */
const messages: Record<Part, string> = {
  D1: "D1_ERROR: Network connection lost.",
  R2: "We encountered an internal error. Please try again. (10001)",
  Queues: "Queue send failed: Too Many Requests",
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Decides which calls fail, and how. A Worker has one instance. */
export class Hazard {
  settings: FaultSettings = calm;
  readonly note: Note;
  #draws: Draws = drawsFrom(calm.seed);
  readonly #awayUntil = new Map<Part, number>();

  constructor(note: Note) {
    this.note = note;
  }

  /** `salt`: distinguishes this start from others with the same seed. */
  change(settings: FaultSettings, salt = 0): void {
    this.settings = settings;
    this.#draws = drawsFrom(settings.seed, salt);
  }

  get draws(): Draws {
    return this.#draws;
  }

  /** Makes every call to a part fail for a while. */
  takeAway(part: Part, ms: number): void {
    this.#awayUntil.set(part, Date.now() + ms);
    this.note(`${part} unavailable for ${ms / 1000} s`);
  }

  /** Makes a call, or fails before it, or fails after it: then the call took effect and its reply is lost. */
  async around<T>(part: Part, call: () => Promise<T>): Promise<T> {
    const { storageRate } = this.settings;
    if (Date.now() < (this.#awayUntil.get(part) ?? 0)) throw new Error(messages[part]);
    const luck = this.#draws.unit();
    if (luck < storageRate / 2) {
      this.note(`${part}: call fails`);
      throw new Error(messages[part]);
    }
    const result = await call();
    if (luck < storageRate) {
      this.note(`${part}: reply lost`);
      throw new Error(messages[part]);
    }
    return result;
  }

  /** Sometimes delays a write for longer than a lease. */
  async stall(): Promise<void> {
    const { stallRate, stallMs } = this.settings;
    if (!this.#draws.chance(stallRate)) return;
    this.note("holder stalled past its lease");
    await sleep(stallMs);
  }
}
