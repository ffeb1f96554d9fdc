import recorded from "./fault-proof.json";

/**
 * The last recorded run of `npm run test:faults -- --record`: the faults and their effects. For the Worker's own
 * isolate, `peakHeapMb` is the largest observed heap, `peakLiveHeapMb` the largest after a garbage collection.
 */
export const faultProof = recorded;
