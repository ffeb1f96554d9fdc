import { suites } from "../../../shared/suites/registry.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { neededHeapMb } from "../support/needed-heap.ts";
import { plainResamples } from "../support/plain-work.ts";
import { tasksOf } from "../support/suite-tasks.ts";
import { summingUp } from "../support/sum-up.ts";

const SAMPLES = 10_000;
const RESAMPLES = 10_000;

/** Aggregating a run of each suite: metrics, intervals and breakdown. */
export const finish: readonly Bench[] = suites.map((suite) => {
  const name = `scoring/${suite.id}-finish`;
  return {
    repeats: 3,
    rows: [
      {
        name,
        unit: "ms",
        what: `10,000 samples of ${suite.id} aggregated, without storage`,
        yardstick: "10,000 resamples of one mean of 1,000 samples in a plain loop",
        target: { atMost: 30 },
      },
      {
        name: `${name}-heap`,
        unit: "MB",
        what: "the same: peak additional memory, in the smallest sufficient heap",
        target: { atMost: 64 },
      },
    ],
    async prepare({ dataset, scale }) {
      const count = Math.max(2, Math.round(SAMPLES * scale));
      const sumUp = summingUp(suite, tasksOf(suite, dataset), count);
      const values = Float64Array.from({ length: count / 10 }, (_, i) => i / count);
      const heap = await neededHeapMb({ id: suite.id, dataset, count, inPieces: false });
      return () => [cpuPair(0, sumUp, () => plainResamples(values, RESAMPLES)), heap];
    },
  };
});

/** Samples of a run that is too long for one piece. */
const LONG = 100_000;

/** Aggregating a long run like the Worker, with all tallies. */
export const finishInPieces: readonly Bench[] = suites.map((suite) => ({
  repeats: 1,
  rows: [
    {
      name: `scoring/${suite.id}-pieces-heap`,
      unit: "MB",
      what: `100,000 samples of ${suite.id} aggregated in pieces, with the sums written and read between them: peak memory`,
      target: { atMost: 64 },
    },
  ],
  prepare: ({ dataset, scale }) => {
    const count = Math.max(2, Math.round(LONG * scale));
    return async () => [await neededHeapMb({ id: suite.id, dataset, count, inPieces: true })];
  },
}));
