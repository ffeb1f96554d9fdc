/** Settings of the faulty Worker: from the variable FAULTS, later from `POST /__faults/settings`. */
export interface FaultSettings {
  seed: string;
  /** Share of calls to D1, R2 and Queues that fail: half before they take effect, half after. */
  storageRate: number;
  /** Share of R2 writes that stall for `stallMs`, longer than a lease, so that another holder takes the lane. */
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

/** Prefix of a log line of the faulty Worker; the rest is a `FaultNote` as JSON. */
export const NOTE = "@fault ";

/** One line of the log: the number of injections of a fault. */
export interface FaultNote {
  fault: string;
  count: number;
}

/** Records one or more injections of a fault. */
export type Note = (fault: string, count?: number) => void;
