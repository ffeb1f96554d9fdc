import type { RunScores } from "../../../shared/contracts/runs/run-scores.ts";
import { compareRuns } from "../../../shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "../../../shared/measures/comparison/compared-metrics.ts";
import { addRun, scoreTable } from "../../../shared/measures/comparison/score-table.ts";
import { xoshiro128 } from "../../../shared/stats/xoshiro128.ts";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { plainResamples } from "../support/plain-work.ts";

const RUNS = 20;
const RESAMPLES = 10_000;

/** Comparing twenty runs in every metric, with 190 pairs each. */
export const comparison: Bench = {
  rows: [
    {
      name: "scoring/comparison",
      what: "20 runs × 1,000 samples, seven metrics, all pairs",
      unit: "ms",
      yardstick: "resampling one mean in a plain loop",
      target: { atMost: 20 },
    },
  ],
  prepare({ minMs, scale }) {
    const samples = Math.max(2, Math.round(1000 * Math.min(1, scale)));
    const runs = Array.from({ length: RUNS }, (_, i) => scoresOf(i, samples));
    const values = Float64Array.from({ length: samples }, (_, i) => i / samples);
    return () => [
      cpuPair(
        minMs,
        () => compared(runs),
        () => plainResamples(values, RESAMPLES),
      ),
    ];
  },
};

function compared(runs: readonly RunScores[]): void {
  const metrics = comparedMetrics(extraction, Object.keys(runs[0]!.values));
  const table = scoreTable(runs[0]!);
  for (const [i, scores] of runs.entries()) addRun(table, `run-${i}`, scores);
  compareRuns(table, [], metrics, "bench");
}

/** Scores of a model: most near its skill, some invalid. */
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
