import type { Aggregator, RunFacts, Summary } from "../../../contracts/suite.ts";
import { runBasis, shownBasis } from "../../../measures/run-sums/run-basis.ts";
import {
  crowdedFamilies,
  estimatesOf,
  partSums,
  runFigures,
  tagParts,
} from "../../../measures/run-sums/run-figures.ts";
import { addAnswer, noAnswers, type RunState } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, partResamples } from "../../../stats/bootstrap/bootstrap.ts";
import {
  areFinite,
  bradleyTerry,
  comparisonsOf,
  strengthFigures,
} from "../../../stats/bradley-terry.ts";
import { eachSum } from "../../../stats/sums/compensated-sum.ts";
import { membersOf } from "../../../stats/sums/families.ts";
import { pairsMetrics } from "../metrics.ts";
import type { PairsOptions } from "../options.ts";
import type { PairsDetail } from "../score.ts";
import type { PairsBreakdown } from "./breakdown.ts";
import { at, pairingFamily, partStatistics, rules, runStatistics, sampleCounts } from "./state.ts";

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
    ...shownBasis(basis, state.answers.unscored),
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

/**
 * Bradley–Terry scores of the models that wrote the answers, with 95% intervals from 2,000 resamples of up to 128
 * random groups of sources: all pairs of a source are drawn together. There is no interval if some models of a group
 * won all comparisons with the others, because such data bound no score. Sorted by group and score; empty if
 * samples name no models. O(resamples · (pairs of models · groups + models³)).
 * Source: Bradley and Terry 1952; docs/spec/statistics.md, bootstrap interval.
 * @example modelStrengths(state, "run-1")[0]?.score // log odds, 0 is the mean
 */
function modelStrengths(state: RunState, seed: string): PairsBreakdown["models"] {
  const pairings = membersOf(state.parts)
    .filter(({ family }) => family === pairingFamily)
    .map(({ name, entry }) => {
      const sums = Object.entries(entry.columns).map(
        ([group, columns]) => [group, eachSum(columns)] as const,
      );
      return { models: JSON.parse(name) as [string, string], sums: new Map(sums) };
    });
  const names = [...new Set(pairings.flatMap(({ models }) => models))].sort();
  const units = [...new Set(pairings.flatMap(({ sums }) => [...sums.keys()]))];
  const column = (place: number) =>
    pairings.map(({ sums }) => Float64Array.from(units, (unit) => sums.get(unit)?.[place] ?? 0));
  const [played, won] = [column(at.pairs), column(at.won)];
  const comparisons = comparisonsOf(
    names.length,
    pairings.map(({ models: [a, b] }) => [names.indexOf(a), names.indexOf(b)]),
  );
  const [games, wins] = [played.map(total), won.map(total)];
  const scores = bradleyTerry(comparisons, games, wins);
  const finite = areFinite(comparisons, games, wins);
  const intervals = bootstrap(
    units.length,
    `${seed} ${pairingFamily}`,
    names.length === 0 ? [] : [strengthFigures(comparisons, played, won)],
    { resamples: partResamples },
  );
  return names
    .map((model, m) => {
      const its = comparisons.pairs.flatMap(([a, b], k) => {
        if (a !== m && b !== m) return [];
        return [[games[k]!, a === m ? wins[k]! : games[k]! - wins[k]!] as const];
      });
      const n = its.reduce((sum, [one]) => sum + one, 0);
      return {
        model,
        group: comparisons.groups[m]!,
        n,
        winRate: its.reduce((sum, [, one]) => sum + one, 0) / n,
        score: scores[m]!,
        interval: finite[m] ? (intervals[m] ?? null) : null,
      };
    })
    .sort((a, b) => a.group - b.group || b.score - a.score || (a.model < b.model ? -1 : 1));
}

const total = (column: Float64Array): number => column.reduce((sum, one) => sum + one, 0);
