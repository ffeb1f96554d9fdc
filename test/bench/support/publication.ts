import { Worker } from "node:worker_threads";
import type { Pair } from "../bench.ts";

/** Number of published runs, each of a different model on one board. */
export interface PublicationSize {
  runs: number;
  /** Number of additional runs, of which the median counts. */
  rounds: number;
}

/** Cost of a step. */
export interface PublicationCost {
  cpuMs: number;
  /** Peak memory in addition to the memory before, MB. */
  peakMb: number;
  d1Calls: number;
  /** Rows returned by D1. */
  d1RowsReturned: number;
  r2Writes: number;
  r2Reads: number;
  r2Bytes: number;
}

export interface PublicationCosts {
  /** Ranking all runs on one board, and publishing everything for the first time. */
  rankAll: PublicationCost;
  publishAll: PublicationCost;
  /** CPU time to rank the board after one new run, in ms. The yardstick is the mean of one measurement before and one after. */
  rankOne: Pair;
  /** Publishing one more run. */
  publishOne: PublicationCost;
  /** Publishing a change of a run that is on no board. */
  changeOne: PublicationCost;
}

/** Limit of the old generation: the promised 64 MB plus about 64 MB for the loaded code. */
const HEAP_MB = 128;

/** Publishes synthetic runs with the service's own code in a thread with this limit; rejects if it does not suffice. */
export function publicationCosts(size: PublicationSize): Promise<PublicationCosts> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./publication-worker.ts", import.meta.url), {
      workerData: size,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8 },
    });
    worker.on("message", resolve);
    worker.on("error", reject);
  });
}
