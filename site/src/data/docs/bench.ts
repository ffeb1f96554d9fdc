import recorded from "./bench.json";

/** The last record of `npm run bench -- --record`. */
export interface BenchRecord {
  date: string;
  machine: { cores: number; cpu: string; memoryGb: number; platform: string };
  results: {
    name: string;
    what: string;
    unit: string;
    value: number;
    low: number;
    high: number;
    repeats: number;
    target: string | null;
    ratio: number | null;
    isPromised: boolean;
    measuredOn: string;
  }[];
  scale: {
    samplesPerDay: number;
    uses: { name: string; share: number; allows: string; lift: string }[];
    mostPerDay: number;
    hours: number;
    daysUntilFull: number;
    usdPerMonth: { running: number; storage: number };
  }[];
}

export const benchRecord: BenchRecord = recorded;
