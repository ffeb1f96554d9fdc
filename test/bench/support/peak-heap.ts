import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes in use: objects, and the buffers they hold. */
function inUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * The most memory that `work` had in use beyond what was there before, bytes: garbage not yet
 * collected included, as a limit on the heap would see it.
 */
export function peakHeapBytes(work: () => unknown): number {
  collect();
  const before = inUse();
  const profiler = new GCProfiler();
  profiler.start();
  work();
  const after = inUse();
  const collections = profiler.stop().statistics.map(({ beforeGC: { heapStatistics } }) => {
    return heapStatistics.usedHeapSize + heapStatistics.externalMemory;
  });
  return Math.max(after, ...collections) - before;
}
