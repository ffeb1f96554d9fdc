import type { Bench } from "../bench.ts";
import { publicationCosts } from "../support/publication.ts";

/** Public runs, all of them of models of one board. */
const RUNS = 10_000;

const heap = { atMost: 64, words: "publication, 10,000 runs and boards of 10,000 models: < 64 MB" };

const one = "one more run among 10,000";

/** Ranking and publishing within a heap of 64 MB: without enough of it nothing is measured. */
export const publication: Bench = {
  repeats: 1,
  rows: [
    {
      name: "publication/board-heap",
      what: "a board of 10,000 models ranked: most memory in use beyond what was there before",
      unit: "MB",
      target: heap,
    },
    { name: "publication/board", what: "the same", unit: "ms" },
    {
      name: "publication/first-heap",
      what: "10,000 runs and their board published for the first time: most memory in use",
      unit: "MB",
      target: heap,
    },
    { name: "publication/first", what: "the same", unit: "ms" },
    { name: "publication/one-heap", what: `${one}: most memory in use`, unit: "MB", target: heap },
    { name: "publication/one", what: one, unit: "ms" },
    { name: "publication/one-d1", what: `${one}: statements to D1`, unit: "statements" },
    { name: "publication/one-rows", what: `${one}: rows that came back from D1`, unit: "rows" },
    { name: "publication/one-writes", what: `${one}: objects written to R2`, unit: "objects" },
    { name: "publication/one-bytes", what: `${one}: bytes written to R2`, unit: "kB" },
  ],
  prepare:
    ({ scale }) =>
    async () => {
      const costs = await publicationCosts({ runs: Math.max(200, Math.round(RUNS * scale)) });
      const { rankAll, publishAll, publishOne } = costs;
      return [
        rankAll.peakMb,
        rankAll.cpuMs,
        publishAll.peakMb,
        publishAll.cpuMs,
        publishOne.peakMb,
        publishOne.cpuMs,
        publishOne.d1Calls,
        publishOne.d1RowsReturned,
        publishOne.r2Writes,
        publishOne.r2Bytes / 1_000,
      ];
    },
};
