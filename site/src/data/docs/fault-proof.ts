import recorded from "./fault-proof.json";

/**
 * The last recorded run of `npm run test:faults -- --record`: what failed, and what came of it. Of the Worker's own
 * isolate, `peakHeapMb` is the most that was seen, `peakLiveHeapMb` the most in use after a collection.
 */
export const faultProof = recorded;
