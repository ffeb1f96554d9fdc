import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { drawsFrom } from "../draws.ts";
import { parseRates } from "../faults/fault-rates.ts";

/** A request of a batch. */
export interface BatchItem {
  id: string;
  path: string;
  body: unknown;
}

/** A result; null: it expired, or was cancelled. */
export interface BatchResult {
  id: string;
  reply: { status: number; body: JsonObject } | null;
}

export interface SimulatedBatch {
  id: string;
  /** Metadata, or the display name. */
  label: Json;
  model: string | null;
  createdAt: number;
  items: readonly BatchItem[];
  /** Id of the file with its requests; null: they came with it. */
  input: string | null;
  isInvalid: boolean;
  isCancelled: boolean;
  /** Null until it has ended. */
  results: BatchResult[] | null;
}

/** The batches and files of a simulator, for all interfaces. */
export class BatchDesk {
  readonly files = new Map<string, string>();
  readonly #batches = new Map<string, SimulatedBatch>();
  readonly #waitMs: number;
  readonly #faults: BatchFaults;
  #made = 0;
  #files = 0;

  constructor(waitMs: number, faults: BatchFaults) {
    this.#waitMs = waitMs;
    this.#faults = faults;
  }

  /** The faults of the next batch. */
  nextFaults(seed: string) {
    this.#made += 1;
    const draw = (kind: keyof BatchFaults) => this.#isDrawn(kind, seed, `${this.#made}`);
    return { isBusy: draw("busy"), isInvalid: draw("invalid"), isUnheard: draw("unheard") };
  }

  #isDrawn(kind: keyof BatchFaults, ...parts: string[]): boolean {
    return drawsFrom("batch", kind, ...parts).unit() < (this.#faults[kind] ?? 0);
  }

  addFile = (text: string): string => {
    this.#files += 1;
    const id = `file-${this.#files}`;
    this.files.set(id, text);
    return id;
  };

  add(batch: Pick<SimulatedBatch, "label" | "model" | "items" | "input" | "isInvalid">) {
    const id = `batch_${this.#batches.size + 1}`;
    const added: SimulatedBatch = {
      ...batch,
      id,
      createdAt: Date.now(),
      isCancelled: false,
      results: null,
    };
    this.#batches.set(id, added);
    return added;
  }

  /** Newest first. */
  list = (): SimulatedBatch[] => [...this.#batches.values()].reverse();

  /** A batch, which is answered once its time has come. */
  get(id: string, seed: string, answer: (item: BatchItem) => BatchResult["reply"]) {
    const batch = this.#batches.get(id);
    const isDue = batch && (batch.isCancelled || Date.now() - batch.createdAt >= this.#waitMs);
    if (!batch || batch.results !== null || !isDue) return batch;
    if (batch.isInvalid) batch.results = [];
    else {
      const results = batch.items.flatMap((item): BatchResult[] => {
        if (this.#isDrawn("missing", seed, id, item.id)) return [];
        const isExpired = this.#isDrawn("expired", seed, id, item.id);
        const isLeft = batch.isCancelled || isExpired;
        return [{ id: item.id, reply: isLeft ? null : answer(item) }];
      });
      // Results of real batches may also be in another order.
      batch.results = results.reverse();
    }
    return batch;
  }
}

/** Whether any requests have expired. */
export const hasExpired = ({ results, isCancelled }: SimulatedBatch): boolean =>
  !isCancelled && (results ?? []).some(({ reply }) => reply === null);

/** Faults of a batch. Shares refer to its requests, drawn again in each batch. */
const kinds = ["expired", "missing", "invalid", "busy", "unheard"] as const;

/** Rates of the faults of batches, 0–1. */
type BatchFaults = Partial<Record<(typeof kinds)[number], number>>;

/**
 * Parses the faults of batches. `expired`: requests that were not answered in time. `missing`: requests without a result.
 * `invalid`: batches that fail validation. `busy`: batches that are refused with 429. `unheard`: accepted batches whose
 * reply is cut off. Throws a one-sentence message.
 * @example parseBatchFaults("expired:0.2,busy:0.5")
 */
export const parseBatchFaults = (text: string): BatchFaults =>
  parseRates(text, kinds, "fault of batches");

/** A provider's format of batches. */
export interface BatchInterface {
  /** Paths of the list, of one batch, of its cancellation and of its results; the group is its id. */
  list: RegExp;
  one: RegExp;
  cancel: RegExp;
  results?: RegExp;
  /** Where batches are created; missing: at the list. */
  create?: RegExp;
  /** A new batch. */
  read(
    body: JsonObject,
    path: string,
    desk: BatchDesk,
  ): Pick<SimulatedBatch, "label" | "model" | "items" | "input">;
  show(batch: SimulatedBatch, desk: BatchDesk): JsonObject;
  listed(batches: JsonObject[]): JsonObject;
  /** Lines of the results, if they have a path. */
  lines?(batch: SimulatedBatch): JsonObject[];
}
