import { suites } from "../../../shared/suites/registry.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { neededHeapMb } from "../support/needed-heap.ts";
import { tasksOf } from "../support/suite-tasks.ts";
import { summingUp, summingUpInPieces } from "../support/sum-up.ts";

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
      return async () => [
        cpuMs(0, sumUp),
        await neededHeapMb({ id: suite.id, dataset, count, inPieces: false }),
      ];
    },
  };
});

/** Of a run that is far too long for one piece. */
const LONG = 100_000;

/** Summing up such a run as the Worker does it, with all tallies. */
export const finishInPieces: readonly Bench[] = suites.map((suite) => {
  const name = `scoring/${suite.id}-finish-pieces`;
  return {
    repeats: 3,
    rows: [
      {
        name,
        unit: "ms",
        what: `${LONG.toLocaleString("en")} samples of ${suite.id} added in twenty pieces, the sums written down and read between them, and summed up: all pieces together`,
      },
      {
        name: `${name}-heap`,
        unit: "MB",
        what: "the same: most memory in use beyond what was there before, in as small a heap as is enough",
        target: { atMost: 64, words: "finalize, 100,000 samples in pieces: < 64 MB" },
      },
    ],
    prepare({ dataset, scale }) {
      const count = Math.max(2, Math.round(LONG * Math.min(1, scale)));
      const sumUp = summingUpInPieces(suite, tasksOf(suite, dataset), count);
      const summed = { id: suite.id, dataset, count, inPieces: true };
      return async () => [cpuMs(0, sumUp), await neededHeapMb(summed)];
    },
  };
});
