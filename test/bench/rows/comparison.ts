import type { RunScores } from "../../../shared/contracts/run-scores.ts";
import { compareRuns } from "../../../shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "../../../shared/measures/comparison/compared-metrics.ts";
import { addRun, scoreTable } from "../../../shared/measures/comparison/score-table.ts";
import { rankRuns } from "../../../shared/measures/comparison/standings.ts";
import { xoshiro128 } from "../../../shared/stats/xoshiro128.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";

const RUNS = 20;

/** Every metric of twenty runs, with 190 pairs each. */
export const comparison: Bench = {
  rows: [
    {
      name: "scoring/comparison",
      what: "20 runs × 1,000 samples, seven metrics with all pairs",
      unit: "ms",
      target: { atMost: 2000, words: "a 20-run comparison of 1,000 samples: ≤ 2 s" },
    },
  ],
  prepare({ minMs, scale }) {
    const samples = Math.max(2, Math.round(1000 * Math.min(1, scale)));
    const runs = Array.from({ length: RUNS }, (_, i) => scoresOf(i, samples));
    return () => [cpuMs(minMs, () => compared(runs))];
  },
};

function compared(runs: readonly RunScores[]): void {
  const metrics = comparedMetrics(extraction, Object.keys(runs[0]!.values));
  const table = scoreTable(runs[0]!);
  for (const [i, scores] of runs.entries()) addRun(table, `run-${i}`, scores);
  compareRuns(table, [], metrics, "bench");
}

/** Two runs on ever more samples: what a reader who compares them waits for. */
export const pairs: readonly Bench[] = [1_000, 10_000, 100_000].map((size) => ({
  ...(size > 1_000 && { repeats: 3 }),
  rows: [
    {
      name: `scoring/pair-${size}`,
      unit: "ms",
      what: `2 runs × ${size.toLocaleString("en")} samples compared in seven metrics`,
    },
  ],
  prepare({ minMs, scale }) {
    const samples = Math.max(2, Math.round(size * Math.min(1, scale)));
    const runs = [0, 1].map((i) => scoresOf(i, samples));
    return () => [cpuMs(minMs, () => compared(runs))];
  },
}));

const BOARD_RUNS = 100;

/** What a full board takes to rank: the headline of a hundred runs, 4,950 pairs. */
export const board: Bench = {
  rows: [
    {
      name: "scoring/board",
      what: "a board of 100 runs × 1,000 samples ranked with intervals and tie groups",
      unit: "ms",
    },
  ],
  prepare({ minMs, scale }) {
    const samples = Math.max(2, Math.round(1000 * Math.min(1, scale)));
    const runs = Array.from({ length: BOARD_RUNS }, (_, i) => scoresOf(i / 5, samples));
    return () => {
      const ms = cpuMs(minMs, () => {
        const table = scoreTable(runs[0]!);
        for (const [i, scores] of runs.entries())
          addRun(table, `run-${i}`, scores, { metrics: ["eqs"] });
        rankRuns(table, { id: "eqs", better: "higher" }, "bench");
      });
      return [ms];
    };
  },
};

/** Scores as a model of some skill has them: most samples near it, some invalid. */
function scoresOf(run: number, samples: number): RunScores {
  const draw = xoshiro128(`bench run ${run}`);
  const skill = 0.6 + run / 60;
  const rows = Array.from({ length: samples }, () => {
    const valid = Number(draw() < skill + 0.2);
    const eqs = valid * Math.min(1, skill + 0.4 * draw());
    return { valid, eqs, over: 10 + Math.floor(30 * draw()), fields: valid * draw() };
  });
  const plain = (of: number[]) => ({ of, over: null });
  const ratio = (share: number) => ({
    of: rows.map(({ fields, over }) => Math.round(share * fields * over)),
    over: rows.map(({ over }) => over),
  });
  return {
    ids: rows.map((_, i) => `s${i}`),
    clusters: null,
    lacking: [],
    values: {
      eqs: plain(rows.map(({ eqs }) => eqs)),
      validity: plain(rows.map(({ valid }) => valid)),
      strictF1: ratio(0.8),
      partialF1: ratio(1),
      typeAccuracy: plain(rows.map(({ valid, fields }) => (valid ? 1 - fields / 10 : 0))),
      hallucinationRate: plain(rows.map(({ valid, fields }) => (valid ? fields / 20 : 1))),
      exactMatch: plain(rows.map(({ eqs }) => Number(eqs === 1))),
    },
  };
}
