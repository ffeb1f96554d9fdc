import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes in use by objects and their buffers. */
function inUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Peak memory of `work` in addition to the memory before it, bytes. Includes uncollected garbage, like a limit on the
 * heap.
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
