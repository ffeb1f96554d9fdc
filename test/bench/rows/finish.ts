import { suites } from "../../../shared/suites/registry.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { neededHeapMb } from "../support/needed-heap.ts";
import { tasksOf } from "../support/suite-tasks.ts";
import { summingUp } from "../support/sum-up.ts";

/** A run of the size that is promised. */
const PROMISED = 10_000;

const targets = {
  cpu: { atMost: 3000, words: "finalize, 10,000 samples: ≤ 3 s CPU" },
  heap: { atMost: 64, words: "finalize, 10,000 samples: < 64 MB" },
};

const counts = [1_000, PROMISED, 100_000];

const runs = suites.flatMap((suite) => counts.map((samples) => ({ suite, samples })));

/** Summing up a run of each suite: the metrics, intervals and breakdown of so many samples. */
export const finish: readonly Bench[] = runs.map(({ suite, samples }) => {
  const name = `scoring/${suite.id}-finish-${samples}`;
  return {
    ...(samples > 1_000 && { repeats: 3 }),
    rows: [
      {
        name,
        unit: "ms",
        what: `${samples.toLocaleString("en")} samples of ${suite.id} added and summed up, storage left out${samples > 20_000 ? ", resampled in blocks of samples" : ""}`,
        ...(samples === PROMISED && { target: targets.cpu }),
      },
      {
        name: `${name}-heap`,
        unit: "MB",
        what: "the same: most memory in use beyond what was there before, in as small a heap as is enough",
        ...(samples === PROMISED && { target: targets.heap }),
      },
    ],
    prepare({ dataset, scale }) {
      const count = Math.max(2, Math.round(samples * Math.min(1, scale)));
      const sumUp = summingUp(suite, tasksOf(suite, dataset), count);
      return async () => [cpuMs(0, sumUp), await neededHeapMb({ id: suite.id, dataset, count })];
    },
  };
});
