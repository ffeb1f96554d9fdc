import recorded from "./fault-proof.json";

/** The last recorded run of `npm run test:faults -- --record`: what failed, and what came of it. */
export interface FaultProof {
  date: string;
  seed: string;
  seconds: number;
  machine: { cores: number; cpu: string; memoryGb: number; platform: string };
  figures: {
    samples: number;
    kills: number;
    requests: number;
    duplicates: number;
    requestsWithKills: number;
    duplicatesWithKills: number;
    connections: number;
    connectionsHeld: number;
    peakMemoryMb: number;
    /** Of the Worker's own isolate: the most that was seen, and the most in use after a collection. */
    peakHeapMb: number;
    peakLiveHeapMb: number;
  };
  rows: { fault: string; injected: number; survived: number; lost: number }[];
}

export const faultProof: FaultProof = recorded;
