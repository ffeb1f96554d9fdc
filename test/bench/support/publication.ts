import { Worker } from "node:worker_threads";
import type { Pair } from "../bench.ts";

/** Runs that are published, of so many models on one board. */
export interface PublicationSize {
  runs: number;
  /** How often one more run finishes; the median counts. */
  rounds: number;
}

/** What a step asked of the platform. */
export interface PublicationCost {
  cpuMs: number;
  /** Most memory in use while it went on beyond what was there before, MB. */
  peakMb: number;
  d1Calls: number;
  /** Rows that came back from D1. */
  d1RowsReturned: number;
  r2Writes: number;
  r2Reads: number;
  r2Bytes: number;
}

export interface PublicationCosts {
  /** All runs ranked on one board, and all of it published for the first time. */
  rankAll: PublicationCost;
  publishAll: PublicationCost;
  /** CPU time of ranking the board of one more run, ms, and that of its yardstick right before and after it, the mean. */
  rankOne: Pair;
  /** One more run is published. */
  publishOne: PublicationCost;
  /** A run that is on no board changes. */
  changeOne: PublicationCost;
}

/** Old generation of a heap that has to do: what is promised, beyond the code as Node loads it, about 64 MB itself. */
const HEAP_MB = 128;

/** Publishes synthetic runs by the service's own code in a thread with such a heap; rejects where that is too little. */
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
