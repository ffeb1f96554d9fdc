import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { neededHeapMb } from "../support/needed-heap.ts";
import { summingUp } from "../support/sum-up.ts";

const targets = {
  cpu: { atMost: 3000, words: "finalize, 10,000 samples: ≤ 3 s CPU" },
  heap: { atMost: 64, words: "finalize, 10,000 samples: < 64 MB" },
};

/** Summing up a run: the metrics, intervals and breakdown of so many samples. */
export const finish: readonly Bench[] = [1000, 10_000, 100_000].map((samples) => ({
  ...(samples > 1000 && { repeats: 3 }),
  rows: [
    {
      name: `scoring/finish-${samples}`,
      what: `${samples.toLocaleString("en")} samples added and summed up`,
      unit: "ms",
      ...(samples === 10_000 && { target: targets.cpu }),
    },
    {
      name: `scoring/finish-${samples}-heap`,
      what: "the same: most memory in use, in as small a heap as is enough",
      unit: "MB",
      ...(samples === 10_000 && { target: targets.heap }),
    },
  ],
  prepare({ dataset, scale }) {
    const count = Math.max(2, Math.round(samples * Math.min(1, scale)));
    const sumUp = summingUp(dataset, count);
    return async () => [cpuMs(0, sumUp), await neededHeapMb(dataset, count)];
  },
}));
