import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, partResamples } from "../../../stats/bootstrap/bootstrap.ts";
import {
  areFinite,
  bradleyTerry,
  comparisonsOf,
  strengthFigures,
} from "../../../stats/bradley-terry.ts";
import { eachSum } from "../../../stats/sums/compensated-sum.ts";
import { membersOf } from "../../../stats/sums/families.ts";
import type { PairsBreakdown } from "./breakdown.ts";
import { at, pairingFamily } from "./state.ts";

/**
 * Bradley–Terry scores of the models that wrote the answers, with 95% intervals from 2,000 resamples of up to 128
 * random groups of sources: all pairs of a source are drawn together. There is no interval where some models of a
 * group won all comparisons with the others, because these data bound no score. Sorted by group and score; empty if
 * samples name no models. O(resamples · (pairs of models · groups + models³)).
 * Source: Bradley and Terry 1952; docs/spec/statistics.md, bootstrap interval.
 * @example modelStrengths(state, "run-1")[0]?.score // log odds, 0 is the mean
 */
export function modelStrengths(state: RunState, seed: string): PairsBreakdown["models"] {
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
