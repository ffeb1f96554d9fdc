import type { Bench } from "../bench.ts";
import { publicationCosts } from "../support/publication.ts";

/** Public runs, all of them of models of one board. */
const RUNS = 10_000;

/** A ranking right after the first is of code that is not compiled yet, and one of them may collect garbage. */
const ROUNDS = 5;

const target = { atMost: 64 };

const one = "one more run among 10,000";

/** Ranking and publishing within a heap of 64 MB beyond the code: without enough of it nothing is measured. */
export const publication: Bench = {
  repeats: 1,
  rows: [
    {
      name: "publication/board-heap",
      what: "a board of 10,000 models ranked: most memory in use beyond what was there before",
      unit: "MB",
      target,
    },
    {
      name: "publication/board-one",
      what: `a board of 10,000 models ranked again after one more run, median of ${ROUNDS}`,
      unit: "ms",
      yardstick:
        "its scores sorted, and those of its first hundred models resampled by plain loops",
      target: { atMost: 5 },
    },
    {
      name: "publication/first-heap",
      what: "10,000 runs and their board published for the first time: most memory in use",
      unit: "MB",
      target,
    },
    { name: "publication/one-heap", what: `${one}: most memory in use`, unit: "MB", target },
    {
      name: "publication/one",
      what: `${one}, published, median of ${ROUNDS}`,
      unit: "ms",
      yardstick: "the first publication of all, a run",
      target: { atMost: 500 },
    },
    {
      name: "publication/one-d1",
      what: `${one}: statements to D1`,
      unit: "",
      target: { atMost: 40 },
    },
    {
      name: "publication/one-writes",
      what: `${one}: objects written to R2`,
      unit: "",
      target: { atMost: 4 },
    },
  ],
  prepare:
    ({ scale }) =>
    async () => {
      const runs = Math.max(200, Math.round(RUNS * scale));
      const costs = await publicationCosts({ runs, rounds: ROUNDS });
      const { rankAll, rankOne, publishAll, publishOne } = costs;
      return [
        rankAll.peakMb,
        rankOne,
        publishAll.peakMb,
        publishOne.peakMb,
        { measured: publishOne.cpuMs, yardstick: publishAll.cpuMs / runs },
        publishOne.d1Calls,
        publishOne.r2Writes,
      ];
    },
};
