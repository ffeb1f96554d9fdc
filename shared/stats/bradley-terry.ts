import type { Figures } from "./bootstrap/bootstrap.ts";
import { columnSums } from "./bootstrap/column-sums.ts";

/** Which models were compared with which. */
export interface Comparisons {
  /** Number of models. */
  models: number;
  /** The two models of each pair, by index; each pair once. */
  pairs: readonly (readonly [first: number, second: number])[];
  /** By model: its group. Models of one group are linked by comparisons. */
  groups: readonly number[];
}

/**
 * The groups of models that comparisons link, directly or through others: scores of different groups can't be
 * compared. Groups are numbered from 0, in order of their first model. O(models · pairs).
 * @example comparisonsOf(3, [[0, 1]]).groups // [0, 0, 1]
 */
export function comparisonsOf(models: number, pairs: Comparisons["pairs"]): Comparisons {
  const groups = Array.from({ length: models }, () => -1);
  let count = 0;
  for (let model = 0; model < models; model++) {
    if (groups[model] !== -1) continue;
    for (const one of reached(model, [...pairs, ...pairs.map(reversed)])) groups[one] = count;
    count += 1;
  }
  return { models, pairs, groups };
}

const reversed = ([a, b]: readonly [number, number]): readonly [number, number] => [b, a];

/** The models that can be reached from one model along the edges, including itself. */
function reached(from: number, edges: Comparisons["pairs"]): Set<number> {
  const found = new Set([from]);
  // Iteration over a set includes elements that are added meanwhile.
  for (const model of found) for (const [a, b] of edges) if (a === model) found.add(b);
  return found;
}

/**
 * By model, whether the data alone give its group finite scores: each model of the group has beaten each other one,
 * directly or through others (Ford 1957). `played` and `won` are by pair, `won` that of its first model.
 * O(models² · pairs).
 * @example areFinite(comparisonsOf(2, [[0, 1]]), [9], [9]) // [false, false]: the first always won
 */
export function areFinite(
  { models, pairs, groups }: Comparisons,
  played: ArrayLike<number>,
  won: ArrayLike<number>,
): boolean[] {
  const beaten = pairs.flatMap((pair, k) => [
    ...(won[k]! > 0 ? [pair] : []),
    ...(played[k]! > won[k]! ? [reversed(pair)] : []),
  ]);
  const sizes = groups.map((group) => groups.filter((one) => one === group).length);
  const all = Array.from({ length: models }, (_, m) => reached(m, beaten).size === sizes[m]);
  return groups.map((group) => groups.every((one, m) => one !== group || all[m]));
}

/** Newton's method converges in fewer than ten steps; the limit only stops an endless loop. */
const mostSteps = 100;
const precise = 1e-10;
/** Longest step, in log odds: a longer one may overshoot. */
const longestStep = 2;

/**
 * Bradley–Terry scores of models from pairwise comparisons: log odds, where the chance that model i beats model j is
 * 1 / (1 + exp(score j − score i)), with mean 0 in each group; 0 for a model that was not compared. `played` and
 * `won` are by pair, `won` that of its first model; a tie is half a win for each. Maximum likelihood, after
 * 1 / (2 · (models − 1)) of a win is added to both sides of every pair, so that a model that always wins has a finite
 * score: for two models this is half a win, as in the corrected log odds of Haldane (1956) and Anscombe (1956).
 * O(steps · models³).
 * Source: Bradley and Terry 1952, Rank analysis of incomplete block designs.
 * @example bradleyTerry(comparisonsOf(2, [[0, 1]]), [10], [7]) // [0.38, -0.38], half of ±ln(7.5 / 3.5)
 */
export function bradleyTerry(
  { models, pairs, groups }: Comparisons,
  played: ArrayLike<number>,
  won: ArrayLike<number>,
  start: ArrayLike<number> = new Float64Array(models),
): Float64Array {
  const scores = Float64Array.from(start);
  const added = 0.5 / Math.max(1, models - 1);
  for (let step = 0; step < mostSteps; step++) {
    const gradient = new Float64Array(models);
    // Scores with mean 0 in each group are the solution if the group's own matrix of ones is added.
    const information = groups.map((group) =>
      Float64Array.from(groups, (one) => Number(one === group)),
    );
    for (const [k, [i, j]] of pairs.entries()) {
      const games = played[k]! + 2 * added;
      const chance = 1 / (1 + Math.exp(scores[j]! - scores[i]!));
      const surplus = won[k]! + added - games * chance;
      const weight = games * chance * (1 - chance);
      gradient[i]! += surplus;
      gradient[j]! -= surplus;
      information[i]![i]! += weight;
      information[j]![j]! += weight;
      information[i]![j]! -= weight;
      information[j]![i]! -= weight;
    }
    solve(information, gradient);
    const longest = gradient.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const scale = Math.min(1, longestStep / Math.max(longest, longestStep));
    for (let m = 0; m < models; m++) scores[m]! += gradient[m]! * scale;
    if (longest < precise) break;
  }
  return scores;
}

/** Solves a positive definite system by elimination. Changes `matrix`; `values` becomes the solution. */
function solve(matrix: Float64Array[], values: Float64Array): void {
  const size = values.length;
  for (let at = 0; at < size; at++) {
    for (let row = at + 1; row < size; row++) {
      const factor = matrix[row]![at]! / matrix[at]![at]!;
      if (factor === 0) continue;
      for (let column = at; column < size; column++) {
        matrix[row]![column]! -= factor * matrix[at]![column]!;
      }
      values[row]! -= factor * values[at]!;
    }
  }
  for (let at = size - 1; at >= 0; at--) {
    for (let column = at + 1; column < size; column++) {
      values[at]! -= matrix[at]![column]! * values[column]!;
    }
    values[at]! /= matrix[at]![at]!;
  }
}

/**
 * Bradley–Terry scores as figures of a bootstrap, in the order of the models. `played` and `won` have for each pair
 * one number for each unit of resampling (a sample or a source), so that all pairs of a unit are drawn together.
 * O(units · pairs + steps · models³) a resample.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example bootstrap(units, "run-1", [strengthFigures(comparisons, played, won)])
 */
export function strengthFigures(
  comparisons: Comparisons,
  played: readonly Float64Array[],
  won: readonly Float64Array[],
): Figures {
  const { models, pairs } = comparisons;
  const sumsOf = columnSums([...played, ...won]);
  const totals = [played, won].map((columns) =>
    Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0)),
  );
  // Scores of a resample are near the scores of all units, so few steps are needed.
  const start = bradleyTerry(comparisons, totals[0]!, totals[1]!);
  return {
    count: models,
    evaluate(batch, into) {
      sumsOf(batch).forEach((sums, r) => {
        const [games, wins] = [sums.subarray(0, pairs.length), sums.subarray(pairs.length)];
        into.set(bradleyTerry(comparisons, games, wins, start), r * models);
      });
    },
  };
}
