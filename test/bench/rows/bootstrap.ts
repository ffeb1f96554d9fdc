import { bootstrapMean } from "../../../shared/stats/bootstrap/bootstrap-mean.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";

/** The interval of one mean: 10,000 resamples of 1,000 samples. */
export const bootstrap: Bench = {
  rows: [
    {
      name: "scoring/bootstrap",
      what: "interval of a mean, 1,000 samples × 10,000 resamples",
      unit: "ms",
      target: { atMost: 100, words: "bootstrap, 1,000 × 10,000: ≤ 100 ms" },
    },
  ],
  prepare({ minMs, scale }) {
    const samples = Math.max(2, Math.round(1000 * Math.min(1, scale)));
    const values = Float64Array.from({ length: samples }, (_, i) => ((i * 7919) % 1000) / 1000);
    return () => [cpuMs(minMs, () => bootstrapMean(values, "bench"))];
  },
};
