import { Worker } from "node:worker_threads";

/** Heap limits, MiB, tried in this order until one suffices. */
const LIMITS_MB = [16, 24, 32, 40, 48, 56, 64, 96, 128, 192, 256, 384, 512, 1024] as const;

/** Additional memory for code and prepared schemas, MiB. */
const BASE_MB = 24;

/** `count` samples of a suite to aggregate; those of `extraction` come from `dataset`. */
export interface SummedUp {
  id: string;
  dataset: string;
  count: number;
  inPieces: boolean;
}

/**
 * Peak memory while a run is aggregated, MB, within the smallest sufficient heap limit. Without a limit, garbage would
 * accumulate and hide the needed memory.
 */
export async function neededHeapMb(summed: SummedUp): Promise<number> {
  for (const limitMb of LIMITS_MB) {
    const bytes = await peakWithin(limitMb, summed);
    if (bytes !== null) return bytes / 1e6;
  }
  throw new Error(
    `summing up ${summed.count} samples of ${summed.id} needs over ${LIMITS_MB.at(-1)} MB`,
  );
}

/** Peak memory, bytes; null if the limit does not suffice. */
function peakWithin(limitMb: number, summed: SummedUp): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./heap-worker.ts", import.meta.url), {
      workerData: summed,
      resourceLimits: {
        maxOldGenerationSizeMb: limitMb + BASE_MB,
        maxYoungGenerationSizeMb: 4,
      },
    });
    worker.on("message", resolve);
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(null);
      else reject(error);
    });
  });
}
