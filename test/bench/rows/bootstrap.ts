import { bootstrapMean } from "../../../shared/stats/bootstrap/bootstrap-mean.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { plainResamples } from "../support/plain-work.ts";

const RESAMPLES = 10_000;

/** The interval of one mean: 10,000 resamples of 1,000 samples. */
export const bootstrap: Bench = {
  rows: [
    {
      name: "scoring/bootstrap",
      what: "interval of a mean, 1,000 samples × 10,000 resamples",
      unit: "ms",
      yardstick: "a plain loop over the same number of draws",
      target: { atMost: 1 },
    },
  ],
  prepare({ minMs, scale }) {
    const samples = Math.max(2, Math.round(1000 * Math.min(1, scale)));
    const values = Float64Array.from({ length: samples }, (_, i) => ((i * 7919) % 1000) / 1000);
    return () => [
      cpuPair(
        minMs,
        () => bootstrapMean(values, "bench"),
        () => plainResamples(values, RESAMPLES),
      ),
    ];
  },
};
