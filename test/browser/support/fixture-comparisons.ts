import type { Comparison } from "../../../shared/contracts/comparison.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import {
  collectScores,
  noScores,
  runScores,
} from "../../../shared/measures/comparison/collect-scores.ts";
import { compareRuns } from "../../../shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "../../../shared/measures/comparison/compared-metrics.ts";
import { addRun, scoreTable } from "../../../shared/measures/comparison/score-table.ts";
import { type Behaviour, scoredSamples, stockRows } from "./scored-summary.ts";

/** A run with what it was made from. */
export interface MadeRun {
  run: Run;
  behaviour: Behaviour;
}

/** Runs over the same rows as the service compares them, by the order of their ids. */
export function aComparison(suite: Suite, made: readonly MadeRun[]): Comparison {
  const compared = made
    .toSorted((a, b) => (a.run.id < b.run.id ? -1 : 1))
    .map(({ run, behaviour }) => {
      const collected = noScores();
      const rows = stockRows.slice(0, run.dataset.samples);
      for (const scored of scoredSamples(suite, rows, behaviour)) {
        collectScores(collected, scored, suite.sampleValues(scored.score));
      }
      return { run, scores: runScores(collected) };
    });
  const [first] = compared;
  if (!first) throw new Error("a comparison needs runs");
  const table = scoreTable(first.scores);
  for (const { run, scores } of compared) addRun(table, run.id, scores);
  const metrics = comparedMetrics(suite, Object.keys(first.scores.values));
  const figures = compared.map(({ run }) => run.metrics ?? {});
  const result = compareRuns(table, figures, metrics, "fixture");
  const { dataset, scoringVersion } = first.run;
  return {
    ...result,
    suite: suite.id,
    dataset,
    scoringVersion,
    runs: result.runs.map((one, i) => {
      const { model, provenance, metrics: known } = compared[i]?.run ?? first.run;
      const headline = known?.[suite.headline] ?? none;
      return { ...one, model, provenance, headline };
    }),
  };
}

const none = { value: null, interval: null, n: 0, coverage: 0 };
