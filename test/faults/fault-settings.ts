/** What the faulty Worker does wrong: the var FAULTS, or later `POST /__faults/settings`. */
export interface FaultSettings {
  seed: string;
  /** Share of calls to D1, R2 and Queues that fail: half before they take effect, half after. */
  storageRate: number;
  /** Share of R2 writes that stall for `stallMs`: longer than a lease, so that another takes the lane. */
  stallRate: number;
  stallMs: number;
  /** Delivers every message twice and out of order. */
  twice: boolean;
}

/** A Worker without faults. */
export const calm: FaultSettings = {
  seed: "1",
  storageRate: 0,
  stallRate: 0,
  stallMs: 0,
  twice: false,
};

/** What a log line of the faulty Worker starts with; the rest is a `FaultNote` as JSON. */
export const NOTE = "@fault ";

/** One line of the log: a fault that was injected, or what was counted of one. */
export interface FaultNote {
  fault: string;
  count: number;
}

/** Takes down that a fault was injected, or what was counted of one. */
export type Note = (fault: string, count?: number) => void;
