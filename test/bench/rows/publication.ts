import type { Bench } from "../bench.ts";
import { publicationCosts } from "../support/publication.ts";

/** Public runs on one board, each of a different model. */
const RUNS = 10_000;

/** Several rounds, because the first ones run uncompiled code and any round may collect garbage. */
const ROUNDS = 5;

const target = { atMost: 64 };

const one = "one more run with 10,000 published";

/** Ranking and publishing within 64 MB of heap beyond the code. The bench fails if that is too little. */
export const publication: Bench = {
  repeats: 1,
  rows: [
    {
      name: "publication/board-heap",
      what: "ranking a board of 10,000 models: peak additional memory",
      unit: "MB",
      target,
    },
    {
      name: "publication/board-one",
      what: `ranking a board of 10,000 models again after one more run, median of ${ROUNDS}`,
      unit: "ms",
      yardstick:
        "sorting its scores and resampling those of its first hundred models in plain loops",
      target: { atMost: 5 },
    },
    {
      name: "publication/first-heap",
      what: "first publication of 10,000 runs and their board: peak memory",
      unit: "MB",
      target,
    },
    { name: "publication/one-heap", what: `${one}: peak memory`, unit: "MB", target },
    {
      name: "publication/one",
      what: `${one}: publication, median of ${ROUNDS}`,
      unit: "ms",
      yardstick: "the first publication of all, per run",
      target: { atMost: 500 },
    },
    {
      name: "publication/one-d1",
      what: `${one}: D1 statements`,
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
