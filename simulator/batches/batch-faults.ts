import { parseRates } from "../faults/fault-rates.ts";

/** How a batch goes wrong. Shares are of its requests, drawn again in each batch. */
const kinds = ["expired", "missing", "invalid", "busy", "unheard"] as const;

/** Rates of the faults of batches, 0–1. */
export type BatchFaults = Partial<Record<(typeof kinds)[number], number>>;

/**
 * Parses the faults of batches. `expired`: requests that were not answered in time. `missing`: requests without a result.
 * `invalid`: batches that fail validation. `busy`: batches that are refused with 429. `unheard`: accepted batches whose
 * reply is cut off. Throws a one-sentence message.
 * @example parseBatchFaults("expired:0.2,busy:0.5")
 */
export const parseBatchFaults = (text: string): BatchFaults =>
  parseRates(text, kinds, "fault of batches");
