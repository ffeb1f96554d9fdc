import type { Aggregator, RunFacts, Summary } from "../../../contracts/suite.ts";
import { runBasis } from "../../../measures/run-sums/run-basis.ts";
import {
  crowdedFamilies,
  estimatesOf,
  partSums,
  runFigures,
  tagParts,
} from "../../../measures/run-sums/run-figures.ts";
import { addAnswer, noAnswers, type RunState } from "../../../measures/run-sums/run-state.ts";
import { pairsMetrics } from "../metrics.ts";
import type { PairsOptions } from "../options.ts";
import type { PairsDetail } from "../score.ts";
import type { PairsBreakdown } from "./breakdown.ts";
import { at, pairingFamily, partStatistics, rules, runStatistics, sampleCounts } from "./state.ts";
import { modelStrengths } from "./strengths.ts";

/** The suite's aggregate: sums over pairs, sums by the models that wrote the answers, and the summary. */
export const pairsAggregate: Aggregator<RunState, PairsDetail, PairsOptions> = {
  empty: ({ passScore }) => noAnswers(rules, passScore),
  add: (state, scored) => addAnswer(rules, state, scored),
  finish: summarize,
};

/**
 * The summary of a run: every metric of the catalogue with its interval, and the Bradley–Terry scores of the models
 * that wrote the answers.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example summarize(state, run).metrics["accuracy"] // { value, interval, n, coverage }
 */
function summarize(state: RunState, run: RunFacts<PairsOptions>): Summary {
  const basis = runBasis(state, run.options.repeats);
  const measured = runFigures(state, basis, runStatistics, pairsMetrics, run, sampleCounts);
  const breakdown: PairsBreakdown = {
    samples: basis.samples,
    answers: basis.answers,
    unscored: state.answers.unscored,
    units: { kind: basis.units.kind, count: basis.units.count },
    counts: state.counts,
    models: modelStrengths(state, run.runId),
    pairings: partSums(state, pairingFamily).map(({ name, n, sums }) => {
      const [first, second] = JSON.parse(name) as [string, string];
      return { first, second, n, wins: sums[at.won]! };
    }),
    tags: tagParts(state, partStatistics, run.runId),
    crowded: crowdedFamilies(state),
  };
  return { metrics: estimatesOf(pairsMetrics, measured), breakdown };
}
