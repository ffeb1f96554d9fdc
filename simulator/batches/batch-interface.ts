import type { JsonObject } from "../../shared/contracts/json.ts";
import type { BatchDesk, SimulatedBatch } from "./batch-desk.ts";

/** How a provider's batches are written. */
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
  /** Lines of its results, where they have a path. */
  lines?(batch: SimulatedBatch): JsonObject[];
}
