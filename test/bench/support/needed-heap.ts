import { Worker } from "node:worker_threads";

/** Limits that are tried one after the other, MiB, until one is enough. */
const LIMITS_MB = [16, 24, 32, 40, 48, 56, 64, 96, 128, 192, 256, 384, 512, 1024] as const;

/** What code and prepared schemas take besides, MiB. */
const BASE_MB = 24;

/** What is summed up: so many samples of a suite, of `extraction` those of a dataset. */
export interface SummedUp {
  id: string;
  dataset: string;
  count: number;
  inPieces: boolean;
}

/**
 * The most memory in use while a run is summed up, MB, within the smallest limit that is enough: a
 * heap without a limit lets garbage pile up, and would say little about what is needed.
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

/** The peak, bytes; null where the limit was not enough. */
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
